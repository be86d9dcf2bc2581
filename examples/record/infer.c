/* infer.c: a small model on the CPU, marked for Tacho: three layers, five inferences, the first of which also loads the weights.
 *
 *     make ENABLE_TACHO=1 && tacho record -o infer.tacho -- ./infer
 *
 * Without ENABLE_TACHO=1 nothing of the marks is compiled. */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/zone.h>

enum { SIZE = 192, LAYERS = 3, RUNS = 5 };

static float weights[LAYERS][SIZE][SIZE];
static float values[SIZE], sums[SIZE];

static void load_weights(void)
{
    TACHO_FUNCTION();
    TACHO_INTEGER("bytes", (long)sizeof weights);
    for (int layer = 0; layer < LAYERS; layer++)
        for (int row = 0; row < SIZE; row++)
            for (int column = 0; column < SIZE; column++)
                weights[layer][row][column] = (float)((layer + row * column) % 7) / 100;
}

static void multiply(int layer)
{
    TACHO_ZONE("multiply");
    TACHO_INTEGER("layer", layer);
    TACHO_INTEGER("flops", 2 * SIZE * SIZE);
    for (int row = 0; row < SIZE; row++) {
        sums[row] = 0;
        for (int column = 0; column < SIZE; column++)
            sums[row] += weights[layer][row][column] * values[column];
    }
}

static void activate(void)
{
    TACHO_ZONE("activate");
    for (int row = 0; row < SIZE; row++)
        values[row] = sums[row] > 0 ? sums[row] : 0;
}

static void infer(void)
{
    TACHO_RUN("inference");
    for (int row = 0; row < SIZE; row++)
        values[row] = (float)row / SIZE;
    for (int layer = 0; layer < LAYERS; layer++) {
        multiply(layer);
        activate();
        TACHO_COUNTER("layers done", layer + 1);
    }
}

int main(void)
{
    float total = 0;

    load_weights();
    for (int run = 0; run < RUNS; run++)
        infer();
    for (int row = 0; row < SIZE; row++)
        total += values[row];
    printf("%g\n", (double)total);
    return EXIT_SUCCESS;
}
