/* device_json.h: JSON nested by two blanks with sorted keys, as device_analysis_data.json has it. Failures stick. */
#ifndef TENSTORRENT_ORIGINAL_DEVICE_JSON_H
#define TENSTORRENT_ORIGINAL_DEVICE_JSON_H

#include "base/json.h"
#include "tenstorrent/original/device_files.h"

static inline void nested_put(struct output *output, const char *text)
{
    output_write(output, text, strlen(text));
}

/* A new line, indented for `depth`. */
static inline void nested_new_line(struct output *output, unsigned depth)
{
    enum { MOST = 64 };
    size_t blanks = depth < MOST ? 2 * (size_t)depth : 2 * MOST;
    char *to = (char *)output_reserve(output, 2 * MOST + 1);

    *to = '\n';
    memset(to + 1, ' ', blanks);
    output_advance(output, blanks + 1);
}

/* A comma where something came before (`*first` is false), a new line, and the key. */
void nested_put_key(struct output *output, unsigned depth, bool *first, const char *key);
void nested_put_integer(struct output *output, unsigned depth, bool *first, const char *key, int64_t value);
void nested_put_decimal(struct output *output, unsigned depth, bool *first, const char *key, double value);
void nested_close_object(struct output *output, unsigned depth);
void nested_open_list(struct output *output);
void nested_close_list(struct output *output, unsigned depth, bool empty);
/* A value that came from JSON. */
void nested_put_value(struct output *output, const struct json *value, unsigned depth);

/* Places of the analyses by name. */
void device_sort_analyses(const struct device_setup *setup, unsigned order[DEVICE_ANALYSES]);
/* The part "setup": every option. */
void device_setup_write(struct output *output, const struct device_setup *setup,
                        const struct device_json_options *options, unsigned depth);

#endif
