/* argument_json.c: arguments as JSON. */
#include "write/argument_json.h"

#include <assert.h>

#include "base/json_write.h"

void argument_write_json(struct output *output, const struct strings *strings, const struct argument *argument)
{
    assert(argument->type <= ARGUMENT_JSON);
    switch ((enum argument_type)argument->type) {
    case ARGUMENT_INTEGER:
        json_value_integer(output, argument->integer);
        break;
    case ARGUMENT_UNSIGNED:
        json_value_unsigned(output, argument->natural);
        break;
    case ARGUMENT_POINTER:
        output_format(output, "\"0x%llx\"", (unsigned long long)argument->natural);
        break;
    case ARGUMENT_DECIMAL:
        json_value_decimal(output, argument->decimal);
        break;
    case ARGUMENT_BOOLEAN:
        output_format(output, "%s", argument->boolean ? "true" : "false");
        break;
    case ARGUMENT_TEXT:
        json_value_string(output, strings_get(strings, argument->text));
        break;
    case ARGUMENT_JSON:
        json_value_json(output, strings_get(strings, argument->text));
        break;
    }
}
