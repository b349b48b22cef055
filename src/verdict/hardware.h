/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of GPU models by name. */
#ifndef MST_VERDICT_HARDWARE_H
#define MST_VERDICT_HARDWARE_H

#include <stdint.h>

typedef struct mst_gpu_model {
  const char *name;
  unsigned capability; /* 70: compute capability 7.0 */
  unsigned memory_gb;  /* 0: it comes in several sizes */
  const char *family;
} mst_gpu_model;

/* By a name as people write it ("Tesla P100-PCIE-16GB", "rtx 3090"); NULL when it is unknown. */
const mst_gpu_model *mst_gpu_model_find(const char *name);

#endif
