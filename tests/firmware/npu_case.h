// SPDX-License-Identifier: BSD-3-Clause
// A delegate case on a board: payload in model memory, tensors and scratch in the large RAM. Words of the command line:
// payload offset and bytes, workspace bytes, then offset and bytes of each input and of each output in the tensor
// file that lies at the start of the large RAM.
#pragma once

#include <npu/payload.h>
#include <stdlib.h>
#include <string.h>
#include <wick/board.h>
#include <wick/semihosting.h>

inline int fail(const char* what) {
  wick_board_puts("FAIL: ");
  wick_board_puts(what);
  wick_board_puts("\n");
  return 1;
}

inline void print_number(const char* name, uint64_t value) {
  char digits[24];
  size_t from = sizeof(digits);
  digits[--from] = '\0';
  do {
    digits[--from] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  wick_board_puts(name);
  wick_board_puts(digits + from);
  wick_board_puts("\n");
}

class NpuCase {
 public:
  /// Lays the inputs into a scratch of junk; null, or what is wrong.
  const char* begin() {
    if (!wick::semihosting::command_line(words_, sizeof(words_))) return "no words";
    next_ = words_;
    const auto* model = static_cast<const uint8_t*>(wick_board_model().base);
    const uint8_t* bytes = model + take();
    const size_t size = take();
    workspace_size = take();
    if (const char* wrong = wick::npu::parse_payload({bytes, size}, payload)) return wrong;
    if (const char* wrong = wick::npu::parse_driver_payload(payload.command_data, stream)) return wrong;
    if (!wick::npu::config_from_word(stream.config_word, config)) return "payload for an unknown NPU";
    scratch = large_ + kTensorFile;
    workspace = scratch + (payload.scratch_size + size_t{15}) / 16 * 16;
    if (workspace + workspace_size > large_ + wick_board_ram_large().bytes) return "the large RAM is too small";
    memset(scratch, 0xA5, payload.scratch_size);
    return tensors(payload.input_records, payload.input_count, true);
  }

  /// Compares the outputs; null, or what is wrong.
  const char* end() { return tensors(payload.output_records, payload.output_count, false); }

  wick::npu::Payload payload;
  wick::npu::CommandStream stream;
  wick::npu::Config config;
  uint8_t* scratch = nullptr;
  uint8_t* workspace = nullptr;
  size_t workspace_size = 0;

 private:
  static constexpr size_t kTensorFile = 512 * 1024;

  size_t take() { return static_cast<size_t>(strtoul(next_, &next_, 10)); }

  const char* tensors(wick::npu::Bytes records, uint32_t count, bool copy) {
    wick::npu::Binding binding;
    for (uint32_t i = 0; i < count; ++i) {
      if (wick::npu::parse_binding(records, i, binding) != nullptr) return "a record of the payload";
      const size_t offset = take();
      const size_t bytes = take();
      if (bytes != binding.bytes) return "a tensor's size";
      if (copy) {
        memcpy(scratch + binding.offset, large_ + offset, bytes);
      } else if (memcmp(scratch + binding.offset, large_ + offset, bytes) != 0) {
        return "an output differs";
      }
    }
    return nullptr;
  }

  uint8_t* const large_ = static_cast<uint8_t*>(wick_board_ram_large().base);
  char words_[256];
  char* next_ = nullptr;
};
