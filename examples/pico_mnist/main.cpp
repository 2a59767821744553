// SPDX-License-Identifier: BSD-3-Clause
//
// Reads handwritten digits on a Raspberry Pi Pico: draws each on the console and says which digit the network sees. The
// model is linked in and runs from flash; any program of one float tensor [1, 64] to [1, 10] scores will do.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/board.h>

#include "digits.h"
#include "exec_model.h"

namespace et = executorch::runtime;

namespace {

constexpr int kPixels = 64;
constexpr int kClasses = 10;
alignas(16) uint8_t planned_pool[EXEC_MODEL_PLANNED_BYTES];
alignas(16) uint8_t method_pool[1024];
alignas(16) uint8_t temp_pool[512];

void draw(const uint8_t* image) {
  static const char kInk[] = " .:-=+*#@";
  char line[] = "        \n";
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      line[column] = kInk[image[8 * row + column] / 2];
    }
    wick_board_puts(line);
  }
}

/// The digit that the network sees, or -1.
int read_digit(et::Method& method, const uint8_t* image) {
  float pixels[kPixels];
  for (int i = 0; i < kPixels; ++i) {
    pixels[i] = static_cast<float>(image[i]) * (1.0F / 16.0F);
  }
  int32_t sizes[] = {1, kPixels};
  uint8_t dim_order[] = {0, 1};
  int32_t strides[] = {kPixels, 1};
  executorch::aten::TensorImpl input(executorch::aten::ScalarType::Float, 2, sizes, pixels, dim_order, strides);
  if (method.set_input(et::EValue(executorch::aten::Tensor(&input)), 0) != et::Error::Ok ||
      method.execute() != et::Error::Ok) {
    return -1;
  }
  const float* scores = method.get_output(0).toTensor().const_data_ptr<float>();
  int best = 0;
  for (int i = 1; i < kClasses; ++i) {
    best = scores[i] > scores[best] ? i : best;
  }
  return best;
}

}  // namespace

int main() {
  et::runtime_init();
  executorch::extension::BufferDataLoader loader(exec_model_start, exec_model_size);
  et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) {
    wick_board_puts("the model does not load\n");
    return 1;
  }
  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  et::MemoryAllocator temp_allocator(sizeof(temp_pool), temp_pool);
  et::Span<uint8_t> planned(planned_pool, sizeof(planned_pool));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &memory);
  if (!method.ok()) {
    wick_board_puts("the method does not load\n");
    return 1;
  }

  int right = 0;
  for (int digit = 0; digit < kClasses; ++digit) {
    draw(kDigits[digit]);
    const int seen = read_digit(*method, kDigits[digit]);
    right += seen == digit ? 1 : 0;
    char line[] = "read as ?\n\n";
    line[8] = seen < 0 ? '?' : static_cast<char>('0' + seen);
    wick_board_puts(line);
  }
  wick_board_puts(right == kClasses ? "all 10 digits read right\n" : "NOT all digits read right\n");
  return right == kClasses ? 0 : 1;
}
