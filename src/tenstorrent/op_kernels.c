/* op_kernels.c: kernels that were met. */
#include "tenstorrent/op_kernels.h"

#include "base/memory.h"
#include "base/text.h"

void op_kernels_start(struct op_kernels *kernels, struct strings *strings)
{
    *kernels = (struct op_kernels){ .strings = strings };
}

void op_kernels_free(struct op_kernels *kernels)
{
    memory_free(kernels->met);
}

static bool was_met(const struct op_kernels *kernels, string_id text)
{
    return text < kernels->capacity && kernels->met[text];
}

static status meet(struct op_kernels *kernels, string_id text)
{
    status code = memory_grow_clear(&kernels->met, &kernels->capacity, (size_t)text + 1, sizeof *kernels->met);

    if (code == STATUS_OK)
        kernels->met[text] = true;
    return code;
}

/* The kernels of a list that was not met as a whole. */
static status meet_each(struct op_kernels *kernels, struct text list, int8_t *fresh)
{
    status code = STATUS_OK;

    list = text_trim(list);
    (void)text_cut_start(&list, "[");
    (void)text_cut_end(&list, "]");
    while (list.length && code == STATUS_OK) {
        struct text kernel = text_trim(text_take(&list, ';'));
        string_id id;

        code = strings_add(kernels->strings, kernel.data, kernel.length, &id);
        if (code != STATUS_OK)
            return code;
        *fresh |= !was_met(kernels, id);
        code = meet(kernels, id);
    }
    return code;
}

status op_kernels_meet(struct op_kernels *kernels, string_id list, int8_t *fresh)
{
    status code;

    if (!list)
        return STATUS_OK;
    if (*fresh < 0)
        *fresh = 0;
    if (was_met(kernels, list))
        return STATUS_OK;
    code = meet(kernels, list);
    return code == STATUS_OK ? meet_each(kernels, strings_get(kernels->strings, list), fresh) : code;
}
