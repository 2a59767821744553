// SPDX-License-Identifier: BSD-3-Clause
//
// exec::Program: wick::Model under the names of the shortest program one can think of. Errors may be ignored: they are
// logged. An arena of any alignment will do; without inputs the model runs on zeros, and the log says so.
//
//   exec::Options opts;  opts.tensor_arena = tensor_arena;  opts.tensor_arena_size = sizeof(tensor_arena);
//   exec::Program program(opts);
//   program.load(exec_model_start, exec_model_size);  program.run();  float y = program.output<float>(0)[0];
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <wick/model.h>

#include <optional>

namespace exec {

struct Options {
  /// Whether the model is made for an Ethos-U NPU; unset: as the program says. load() refuses a program that differs.
  std::optional<bool> use_ethos_u55;
  uint8_t* tensor_arena = nullptr;
  size_t tensor_arena_size = 0;  ///< bytes
  wick::DataMapOption data_map;  ///< a const NamedDataMap*: weights in data files (.ptd)
  wick::KernelsOption kernels;   ///< a Span<const Kernel>: kernels of this program
};

/// inputs, outputs, run() and message() are those of wick::Model.
class Program : public wick::Model {
 public:
  explicit Program(const exec::Options& options) : Model(for_model(options)), npu_(options.use_ethos_u55) {}

  /// The program at `image`; `size` may be the capacity of the memory it lies in. Errors: those of wick::Model::load(),
  /// and DelegateInvalidCompatibility if use_ethos_u55 contradicts the program.
  Error load(const void* image, size_t size) {
    const Error error = Model::load(image, size);
    if (error != Error::Ok || !npu_.has_value() || *npu_ == uses_backend("EthosUBackend")) {
      return error;
    }
    unload();
    return fail(Error::DelegateInvalidCompatibility, *npu_ ? "use_ethos_u55 is set, but the program has no part for an "
                                                             "Ethos-U: export it for one, or leave the option unset"
                                                           : "the program needs an Ethos-U, and "
                                                             "use_ethos_u55 is false");
  }

 private:
  static Model::Options for_model(const exec::Options& options) {
    Model::Options result;
    result.arena = {options.tensor_arena, options.tensor_arena_size};
    result.data_map = options.data_map;
    result.kernels = options.kernels;
    return result;
  }

  std::optional<bool> npu_;
};

}  // namespace exec
