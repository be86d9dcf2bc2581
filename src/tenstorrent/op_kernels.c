/* op_kernels.c: kernels that were met. */
#include "tenstorrent/op_kernels.h"

#include "base/text.h"

void op_kernels_start(struct op_kernels *kernels, struct strings *strings)
{
    kernels->strings = strings;
    number_map_start(&kernels->met);
}

void op_kernels_free(struct op_kernels *kernels)
{
    number_map_free(&kernels->met);
}

/* Whether a text was not met before; it is from now on. */
static status meet(struct op_kernels *kernels, string_id text, bool *fresh)
{
    uint32_t *met = number_map_at(&kernels->met, text, 0);

    if (!met)
        return status_no_memory("keeping kernels");
    *fresh = *met == MAP_NONE;
    *met = 1;
    return STATUS_OK;
}

/* Most lists were met as a whole. */
status op_kernels_meet(struct op_kernels *kernels, string_id id, int8_t *fresh)
{
    struct text list = text_trim(strings_get(kernels->strings, id));
    bool whole = false, one = false;
    status code = id ? meet(kernels, id, &whole) : STATUS_OK;

    if (id && *fresh < 0)
        *fresh = 0;
    (void)text_cut_start(&list, "[");
    (void)text_cut_end(&list, "]");
    while (whole && list.length && code == STATUS_OK) {
        struct text kernel = text_trim(text_take(&list, ';'));

        code = strings_add(kernels->strings, kernel.data, kernel.length, &id);
        if (code == STATUS_OK)
            code = meet(kernels, id, &one);
        *fresh |= one;
    }
    return code;
}
