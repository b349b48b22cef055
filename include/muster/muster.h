/* SPDX-License-Identifier: Apache-2.0 */
/* The whole public interface of libmuster. */
#ifndef MUSTER_MUSTER_H
#define MUSTER_MUSTER_H

#include "muster/assess.h"
#include "muster/dataset.h"
#include "muster/error.h"
#include "muster/gpu.h"
#include "muster/version.h"

#endif
