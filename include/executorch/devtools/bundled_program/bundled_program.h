// SPDX-License-Identifier: BSD-3-Clause
//
// Bundled programs (.bpte): a program together with test inputs and expected outputs, usable on the device. Read in
// place. Tensors are compared value by value, whatever dim order the bundle and the program use.
//
//   get_program_data(file, size, &program_data, &program_size);  ...  load_bundled_input(*method, file, 0);
//   method->execute();  Error error = verify_method_outputs(*method, file, 0, 1e-4, 1e-5);
#pragma once

#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/executor/method.h>

#define BUNDLED_PROGRAM_NAMESPACE bundled_program

namespace executorch {
namespace BUNDLED_PROGRAM_NAMESPACE {

using SerializedBundledProgram = const void;
using ::executorch::ET_RUNTIME_NAMESPACE::Method;

/// Sets all inputs of the method from test case `testset_idx`. The interface does not tell the bundle's size: give it
/// bundles that get_program_data() accepted. Errors: NotSupported (no bundle, an input that does not suit),
/// InvalidArgument (no such method or case), InvalidProgram (corrupt).
ET_NODISCARD ::executorch::runtime::Error load_bundled_input(Method& method,
                                                             SerializedBundledProgram* bundled_program_ptr,
                                                             size_t testset_idx);

/// How far the outputs are from the expected ones. Relative errors divide by the larger of the two values.
struct ErrorStats {
  ::executorch::runtime::Error status;
  double mean_abs_error;
  double max_abs_error;
  double mean_relative_error;
  double max_relative_error;
};
ET_NODISCARD ErrorStats compute_method_output_error_stats(Method& method, SerializedBundledProgram* bundled_program_ptr,
                                                          size_t testset_idx);

/// Compares all outputs with the expected ones: |got - want| <= atol + rtol * |want| for floats, equality for the
/// rest. Errors: NotFound (an output differs), NotSupported, InvalidArgument, InvalidProgram.
ET_NODISCARD ::executorch::runtime::Error verify_method_outputs(Method& method,
                                                                SerializedBundledProgram* bundled_program_ptr,
                                                                size_t testset_idx, double rtol = 1e-5,
                                                                double atol = 1e-8);

/// The program inside the bundle, in place. Errors: NotSupported (no bundle), InvalidProgram (corrupt).
ET_NODISCARD ::executorch::runtime::Error get_program_data(void* file_data, size_t file_data_len,
                                                           const void** out_program_data,
                                                           size_t* out_program_data_len);

/// Whether the data carries a bundle's identifier.
bool is_bundled_program(void* file_data, size_t file_data_len);
ET_DEPRECATED inline bool is_bundled_program(void* file_data) { return is_bundled_program(file_data, 128); }

}  // namespace BUNDLED_PROGRAM_NAMESPACE
}  // namespace executorch

namespace torch {
namespace executor {
namespace bundled_program {

using serialized_bundled_program = ::executorch::bundled_program::SerializedBundledProgram;

ET_NODISCARD inline ::executorch::runtime::Error LoadBundledInput(Method& method,
                                                                  serialized_bundled_program* bundled_program_ptr,
                                                                  size_t testset_idx) {
  return ::executorch::bundled_program::load_bundled_input(method, bundled_program_ptr, testset_idx);
}
ET_NODISCARD inline ::executorch::runtime::Error VerifyResultWithBundledExpectedOutput(
    Method& method, serialized_bundled_program* bundled_program_ptr, size_t testset_idx, double rtol = 1e-5,
    double atol = 1e-8) {
  return ::executorch::bundled_program::verify_method_outputs(method, bundled_program_ptr, testset_idx, rtol, atol);
}
ET_NODISCARD inline ::executorch::runtime::Error GetProgramData(void* file_data, size_t file_data_len,
                                                                const void** out_program_data,
                                                                size_t* out_program_data_len) {
  return ::executorch::bundled_program::get_program_data(file_data, file_data_len, out_program_data,
                                                         out_program_data_len);
}
inline bool IsBundledProgram(void* file_data) {
  return ::executorch::bundled_program::is_bundled_program(file_data, 128);
}

}  // namespace bundled_program
}  // namespace executor
}  // namespace torch
