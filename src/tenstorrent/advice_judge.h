/* advice_judge.h: what bounds like operations (advice_model.h), for those who find and those who say what is wrong. Nothing is owned. */
#ifndef TENSTORRENT_ADVICE_JUDGE_H
#define TENSTORRENT_ADVICE_JUDGE_H

#include "tenstorrent/advice_model.h"

/* Work of one operation, and the part of each peak that it reaches; 0: not known, or none. */
struct op_rates {
    struct roofline_work work; /* of one, on average */
    struct roofline_peak peak; /* of DRAM, and of the cores that it uses */
    bool product, convolution; /* of matrices, or of a window; its arithmetic is known */
    bool known;                /* a product of matrices, and how near it came to both peaks */
    double cores;              /* that it uses */
    double memory, arithmetic; /* parts of the peaks */
    double reached;            /* the larger of both */
};

/* False: how near it came to anything is not known. */
bool op_work(const struct op_model *model, const struct op_like *like, struct op_rates *rates);
/* The part of its time that compute waits for its input; NAN: not known. */
double op_waits(const struct op_model *model, const struct op_like *like);
/* One of its cores works much longer than the mean; or some start long after the first. Of those that the critical device ran. */
bool op_is_uneven(const struct op_like *like);
bool op_starts_late(const struct op_like *like);
/* One of them that takes much longer than the mean, so that it is the one to look at; NULL: they are even. */
const struct op_row *op_worst_row(const struct op_model *model, const struct op_like *like);
/* ns of a run that it takes on the critical device over the mean one; 0: as long, or on no other. */
double op_uneven(const struct op_like *like);
/* That it could use: where arithmetic bounds it all, else, since it may not divide so well, as many as any operation here does. */
double op_all_cores(const struct op_model *model, const struct op_rates *rates);
/* It runs on a quarter of these or fewer, and long enough for more of them to help. */
bool op_is_on_few_cores(const struct op_model *model, const struct op_like *like);
/* The fewest passes over the multiplier that its types need; FIDELITY_COUNT: not known. */
enum fidelity op_enough_passes(const struct op_model *model, const struct op_like *like);
/* MODEL_…, once rows were added. */
uint8_t op_kind_of(const struct op_model *model, const struct op_like *like);
/* What makes an operation unneeded that only moves data; NULL: it is none. */
const char *op_layout_instead(struct text code);

#endif
