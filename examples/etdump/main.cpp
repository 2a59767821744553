// SPDX-License-Identifier: BSD-3-Clause
//
// Profiling on the device: runs the keyword-spotting network from external flash with an ETDumpGen as event tracer, and
// prints the ETDump on the console as base64. scripts/etdump.py reads it from there; so does ExecuTorch's Inspector.
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <executorch/third-party/flatcc/include/flatcc/portable/pbase64.h>
#include <wick/board.h>
#include <wick/pte_size.h>

#include "examples/xip_kws/print.h"
#include "examples/xip_kws/samples.h"

namespace et = executorch::runtime;
using executorch::etdump::ETDumpGen;
using executorch::etdump::ETDumpResult;
using executorch::extension::BufferDataLoader;

namespace {

alignas(16) uint8_t planned_pool[64000];
alignas(16) uint8_t method_pool[4096];
alignas(16) uint8_t temp_pool[1024];
alignas(8) uint8_t etdump_buffer[4096];

/// One line, as long as it takes.
void print_base64(const ETDumpResult& file) {
  wick_board_puts("ETDUMP ");
  const uint8_t* bytes = static_cast<const uint8_t*>(file.buf);
  for (size_t at = 0; at < file.size;) {
    uint8_t text[64];
    size_t count = file.size - at < 48 ? file.size - at : 48;
    size_t written = 0;
    base64_encode(text, bytes + at, &written, &count, base64_enc_modifier_padding);
    wick_board_write(reinterpret_cast<const char*>(text), written);
    at += count;
  }
  wick_board_puts("\n");
}

et::Error run(et::Method& method, const Sample& sample) {
  int32_t sizes[] = {1, 1, 49, 10};
  uint8_t dim_order[] = {0, 1, 2, 3};
  int32_t strides[] = {490, 490, 10, 1};
  executorch::aten::TensorImpl input(executorch::aten::ScalarType::Float, 4, sizes, const_cast<float*>(sample.features),
                                     dim_order, strides);
  const et::Error error = method.set_input(et::EValue(executorch::aten::Tensor(&input)), 0);
  return error == et::Error::Ok ? method.execute() : error;
}

et::Error profile(ETDumpGen& etdump) {
  const wick_board_memory_t flash = wick_board_model();
  const et::Result<size_t> size = wick::pte_size(flash.base, flash.bytes);
  if (!size.ok()) {
    return size.error();
  }
  BufferDataLoader loader(flash.base, size.get());
  const et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) {
    return program.error();
  }
  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  et::MemoryAllocator temp_allocator(sizeof(temp_pool), temp_pool);
  et::Span<uint8_t> planned(planned_pool, sizeof(planned_pool));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &memory, &etdump);
  return method.ok() ? run(*method, kSamples[0]) : method.error();
}

}  // namespace

int main() {
  et::runtime_init();
  ETDumpGen etdump({etdump_buffer, sizeof(etdump_buffer)});
  const et::Error error = profile(etdump);
  if (error != et::Error::Ok) {
    print("FAIL: error %u\n", static_cast<unsigned>(error));
    return 1;
  }
  const ETDumpResult file = etdump.get_etdump_data();
  print_base64(file);
  print("%u bytes, %u events dropped\n", static_cast<unsigned>(file.size),
        static_cast<unsigned>(etdump.dropped_events()));
  return 0;
}
