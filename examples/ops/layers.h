/* layers.h: the arithmetic of a made-up model of three layers. Nothing here is profiled: model.c and model.cpp mark what they call. */
#ifndef EXAMPLE_LAYERS_H
#define EXAMPLE_LAYERS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 32, LAYERS = 3, WIDEST = 256 };

/* Widths of the input and of what each layer gives. */
static const size_t widths[LAYERS + 1] = { 128, 256, 256, 10 };

/* Rows times columns numbers. */
struct matrix {
    size_t rows, columns; /* its size */
    float *values;        /* row by row */
};

struct layer {
    struct matrix weights; /* inputs x outputs */
    struct matrix bias;    /* 1 x outputs; the last layer has none */
};

/* What the device would run: a matrix product of one size. */
struct program {
    size_t rows, inner, columns; /* of the product */
};

static inline struct matrix matrix_new(size_t rows, size_t columns)
{
    struct matrix made = { rows, columns, (float *)calloc(rows * columns, sizeof(float)) };

    if (!made.values)
        abort();
    return made;
}

/* Numbers that are the same in every run. */
static inline void matrix_fill(struct matrix *matrix, unsigned seed)
{
    for (size_t i = 0; i < matrix->rows * matrix->columns; i++) {
        seed = seed * 1664525u + 1013904223u;
        matrix->values[i] = (float)(seed >> 16) / 65536.0f - 0.5f;
    }
}

static inline void matrix_copy(struct matrix *to, const struct matrix *from)
{
    memcpy(to->values, from->values, from->rows * from->columns * sizeof(float));
}

static inline struct program program_compile(size_t rows, size_t inner, size_t columns)
{
    struct program made = { rows, inner, columns };

    return made;
}

/* What one core does of it: some of the rows. */
static inline void program_run(const struct program *program, size_t from, size_t to, const struct matrix *a,
                               const struct matrix *b, struct matrix *c)
{
    for (size_t i = from; i < to; i++)
        for (size_t k = 0; k < program->inner; k++)
            for (size_t j = 0; j < program->columns; j++)
                c->values[i * program->columns + j] +=
                    a->values[i * program->inner + k] * b->values[k * program->columns + j];
}

static inline void add_bias(struct matrix *to, const struct matrix *bias)
{
    for (size_t i = 0; i < to->rows * to->columns; i++)
        to->values[i] += bias->values[i % to->columns];
}

static inline void rectify(struct matrix *matrix)
{
    for (size_t i = 0; i < matrix->rows * matrix->columns; i++)
        matrix->values[i] = matrix->values[i] > 0 ? matrix->values[i] : 0;
}

static inline void softmax(struct matrix *matrix)
{
    for (size_t i = 0; i < matrix->rows; i++) {
        float *row = matrix->values + i * matrix->columns, sum = 0;

        for (size_t j = 0; j < matrix->columns; j++)
            sum += row[j] = expf(row[j] / (float)WIDEST);
        for (size_t j = 0; j < matrix->columns; j++)
            row[j] /= sum;
    }
}

#endif
