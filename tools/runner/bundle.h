// SPDX-License-Identifier: BSD-3-Clause
// Bundled programs (.bpte): the program inside, its inputs, and its own verification of outputs.
#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/executor/method.h>

#include "tools/runner/tensors.h"

namespace wick::runner {

/// True when this build can read bundled programs.
bool bundles_supported();

/// True when the file says that it is a bundled program.
bool is_bundle(const FileImage& file);

/// Finds the program inside a bundle; false when there is none.
bool unwrap_bundle(const FileImage& bundle, FileImage& program);

/// Sets the inputs of a test set.
executorch::runtime::Error load_bundled(executorch::runtime::Method& method, const FileImage& bundle,
                                        uint32_t test_set);

struct BundleVerdict {
  executorch::runtime::Error error;
  double max_abs;
  double mean_abs;
};

/// Compares the method's outputs with those that the bundle expects, within |got - want| <= atol + rtol * |want|.
BundleVerdict verify_bundled(executorch::runtime::Method& method, const FileImage& bundle, uint32_t test_set,
                             double rtol, double atol);

}  // namespace wick::runner
