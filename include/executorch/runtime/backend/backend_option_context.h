// SPDX-License-Identifier: BSD-3-Clause
// What a backend gets with set_option() and get_option(). It has nothing in it yet.
//
//     BackendOptionContext context;
//     Error error = backend->set_option(context, options.view());

#pragma once

#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/named_data_map.h>

namespace executorch::runtime {

class BackendOptionContext final {
 public:
  explicit BackendOptionContext() {}
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::BackendOptionContext;
}  // namespace torch::executor
