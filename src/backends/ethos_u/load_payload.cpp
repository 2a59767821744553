// SPDX-License-Identifier: BSD-3-Clause
// From the bytes of a payload to views that can be trusted, with a line in the log if they cannot.
#include "src/backends/ethos_u/load_payload.h"

#include <executorch/runtime/platform/log.h>

#include <new>
#include <utility>

#include "src/backends/ethos_u/bytes.h"

namespace wick::ethos_u {

using namespace executorch::runtime;

namespace {

constexpr size_t kKeyBytes = 64;

Error check_bindings([[maybe_unused]] const char* block, const Bindings& bindings, size_t scratch_size) {
  for (uint32_t i = 0; i < bindings.count; ++i) {
    Binding binding{};
    if ([[maybe_unused]] const char* wrong = read_binding(bindings, i, scratch_size, binding)) {
      ET_LOG(Error, "Ethos-U payload: block %s, record %u: %s", block, static_cast<unsigned>(i), wrong);
      return Error::InvalidProgram;
    }
  }
  return Error::Ok;
}

Error follow_key(const NamedDataMap* map, [[maybe_unused]] const char* block, View& view, FreeableBuffer& into) {
  if (view.size != kKeyBytes || map == nullptr) {
    ET_LOG(Error, "Ethos-U payload: block %s is external, but %s", block,
           map == nullptr ? "the program has no named data: load its .ptd" : "its key has not 64 characters");
    return Error::InvalidProgram;
  }
  Result<FreeableBuffer> data = map->get_data({reinterpret_cast<const char*>(view.data), view.size});
  if (!data.ok()) {
    ET_LOG(Error, "Ethos-U payload: no named data for the external block %s: load the program's .ptd", block);
    return data.error();
  }
  const auto* bytes = static_cast<const uint8_t*>(data->data());
  if (bytes == nullptr || reinterpret_cast<uintptr_t>(bytes) % kAlign != 0) {
    ET_LOG(Error, "Ethos-U payload: the named data of block %s is not 16-aligned", block);
    return Error::InvalidProgram;
  }
  view = {bytes, data->size()};
  into.~FreeableBuffer();
  new (&into) FreeableBuffer(std::move(*data));
  return Error::Ok;
}

}  // namespace

Error load_payload(View bytes, Payload& payload) {
  if ([[maybe_unused]] const char* wrong = parse_payload(bytes, payload)) {
    ET_LOG(Error, "Ethos-U payload: %s", wrong);
    return Error::InvalidProgram;
  }
  const Error error = check_bindings("inputs", payload.inputs, payload.scratch_size);
  return error == Error::Ok ? check_bindings("outputs", payload.outputs, payload.scratch_size) : error;
}

Error load_external_blocks(const NamedDataMap* map, Payload& payload, ExternalBlocks& blocks) {
  Error error = Error::Ok;
  if (payload.command_external) {
    error = follow_key(map, "cmd_data", payload.command_data, blocks.command);
  }
  if (error == Error::Ok && payload.weights_external) {
    error = follow_key(map, "weight_data", payload.weights, blocks.weights);
  }
  return error;
}

}  // namespace wick::ethos_u
