// SPDX-License-Identifier: BSD-3-Clause
// Bundled programs through the public API (devtools/bundled_program), where the build has it.
#include "tools/runner/bundle.h"

#include <executorch/devtools/bundled_program/bundled_program.h>

namespace wick::runner {

namespace bundled = executorch::bundled_program;
using executorch::runtime::Error;
using executorch::runtime::Method;

bool bundles_supported() { return true; }

bool is_bundle(const FileImage& file) {
  return bundled::is_bundled_program(const_cast<uint8_t*>(file.data), file.size);
}

bool unwrap_bundle(const FileImage& bundle, FileImage& program) {
  const void* data = nullptr;
  size_t size = 0;
  // The API takes a mutable pointer but only reads.
  if (bundled::get_program_data(const_cast<uint8_t*>(bundle.data), bundle.size, &data, &size) != Error::Ok) {
    return false;
  }
  program = FileImage{static_cast<const uint8_t*>(data), size};
  return true;
}

Error load_bundled(Method& method, const FileImage& bundle, uint32_t test_set) {
  return bundled::load_bundled_input(method, bundle.data, test_set);
}

BundleVerdict verify_bundled(Method& method, const FileImage& bundle, uint32_t test_set, double rtol, double atol) {
  const auto stats = bundled::compute_method_output_error_stats(method, bundle.data, test_set);
  const Error error = bundled::verify_method_outputs(method, bundle.data, test_set, rtol, atol);
  return {error, stats.max_abs_error, stats.mean_abs_error};
}

}  // namespace wick::runner
