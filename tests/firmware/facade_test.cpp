// SPDX-License-Identifier: BSD-3-Clause
// Tests wick::Model on a device: memory figures to the byte, models that share transient memory, and a model that runs
// in an interrupt while another runs in main(). The command line word says which.
#include <string.h>
#include <wick/board.h>
#include <wick/format.h>
#include <wick/memory_required.h>
#include <wick/model.h>
#include <wick/semihosting.h>

#include "tests/firmware/facade_models.h"

namespace {

using executorch::runtime::Error;
using executorch::runtime::Span;
using wick::Model;

bool failed = false;

template <typename... Args>
void print(const char* text, Args... args) {
  char line[200];
  wick::format(line, sizeof(line), text, args...);
  wick_board_puts(line);
}

void check(bool good, const char* what, const char* message = "") {
  if (!good) {
    failed = true;
    print("FAIL: %s %s\n", what, message);
  }
}

int finish() {
  wick_board_puts(failed ? "FAILED\n" : "PASS\n");
  return failed ? 1 : 0;
}

/// A model and where its samples lie: one after the other, inputs and then the expected output, each at a multiple
/// of 16.
struct Stored {
  const char* name;
  const uint8_t* image;
  const uint8_t* image_end;
  const uint8_t* samples;
  size_t inputs[2];  ///< bytes of the inputs
  size_t outputs;    ///< floats
  size_t image_bytes() const { return static_cast<size_t>(image_end - image); }
};

const Stored kKws = {"kws", kws_pte, kws_pte_end, kws_bin, {1960, 0}, 12};
const Stored kMlp = {"mlp", mlp_pte, mlp_pte_end, mlp_bin, {3136, 0}, 10};
const Stored kKvcache = {"kvcache", kvcache_pte, kvcache_pte_end, kvcache_bin, {32, 8}, 8};
const Stored kAdd = {"add", add_pte, add_pte_end, add_bin, {512, 512}, 128};

size_t up(size_t bytes) { return (bytes + 15) / 16 * 16; }

const uint8_t* sample_at(const Stored& stored, size_t sample) {
  const size_t inputs = up(stored.inputs[0]) + up(stored.inputs[1]);
  return stored.samples + sample * (inputs + up(stored.outputs * sizeof(float)));
}

bool fill(Model& model, const Stored& stored, size_t sample) {
  const uint8_t* from = sample_at(stored, sample);
  for (size_t i = 0; i < 2 && stored.inputs[i] > 0; ++i) {
    void* const data = model.input_data(i);
    if (data == nullptr) {
      return false;
    }
    memcpy(data, from, stored.inputs[i]);
    from += up(stored.inputs[i]);
  }
  return true;
}

/// Whether the output is the expected one: 1e-5 absolute and 1e-4 relative, as the cases' json says.
bool right(Model& model, const Stored& stored, size_t sample) {
  const uint8_t* const want = sample_at(stored, sample) + up(stored.inputs[0]) + up(stored.inputs[1]);
  const Span<const float> got = model.output<float>(0);
  for (size_t i = 0; i < stored.outputs; ++i) {
    float expected;
    memcpy(&expected, want + i * sizeof(float), sizeof(expected));
    const float difference = got[i] < expected ? expected - got[i] : got[i] - expected;
    if (!(difference <= 5e-5f + 1e-4f * (expected < 0 ? -expected : expected))) {
      return false;
    }
  }
  return got.size() == stored.outputs;
}

alignas(16) uint8_t small_arenas[3][12 * 1024];
alignas(16) uint8_t transient_memory[112 * 1024];
alignas(16) uint8_t arena[128 * 1024];
alignas(16) uint8_t workspace[8 * 1024];

/// What memory_required() says is what loading takes: that many bytes are enough, one less is not.
void figures() {
  for (const Stored* stored : {&kKws, &kMlp, &kKvcache, &kAdd}) {
    executorch::extension::BufferDataLoader loader(stored->image, stored->image_bytes());
    const auto program = executorch::runtime::Program::load(&loader);
    check(program.ok(), stored->name, "cannot be read");
    const auto need = wick::memory_required(program.get(), "forward", {workspace, sizeof(workspace)});
    check(need.ok(), stored->name, "has no figures");
    print("%s: arena %zu, planned %zu, method %zu, loading %zu\n", stored->name, need->arena(), need->planned,
          need->method, need->load_scratch);
    Model enough({{arena, need->arena()}});
    check(enough.load(stored->image, stored->image_bytes()) == Error::Ok, stored->name, enough.message());
    check(enough.usage().method == need->method, stored->name, "takes another number of bytes");
    Model less({{arena, need->arena() - 1}});
    check(less.load(stored->image, stored->image_bytes()) == Error::MemoryAllocationFailed, stored->name,
          "fits in less");
    check(strstr(less.message(), "the arena is 1 bytes too small") != nullptr, stored->name, less.message());
  }
}

void share() {
  const Stored* const stored[] = {&kKws, &kMlp, &kKvcache};
  wick::TransientMemory transient = {transient_memory, sizeof(transient_memory), nullptr};
  const auto options = [&](size_t i) {
    Model::Options chosen;
    chosen.arena = {small_arenas[i], sizeof(small_arenas[i])};
    chosen.transient = &transient;
    return chosen;
  };
  Model models[] = {Model(options(0)), Model(options(1)), Model(options(2))};
  for (size_t i = 0; i < 3; ++i) {
    check(models[i].load(stored[i]->image, stored[i]->image_bytes()) == Error::Ok, stored[i]->name,
          models[i].message());
  }
  for (size_t sample = 0; sample < 3 && !failed; ++sample) {
    for (size_t i = 0; i < 3; ++i) {
      check(fill(models[i], *stored[i], sample), stored[i]->name, models[i].message());
      check(models[i].run() == Error::Ok, stored[i]->name, models[i].message());
      check(right(models[i], *stored[i], sample), stored[i]->name, "is wrong after another model's run");
    }
  }
}

// The interrupt: the core's own timer, with a vector table in RAM.
constexpr uint32_t kRuns = 1000;
constexpr uint32_t kTicksBetween = 20000;
Model* add_model = nullptr;
volatile uint32_t runs_in_interrupt = 0;
volatile uint32_t wrong_in_interrupt = 0;

volatile uint32_t& reg(uintptr_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }
constexpr uintptr_t kSysTickControl = 0xE000E010;
constexpr uintptr_t kSysTickReload = 0xE000E014;
constexpr uintptr_t kSysTickValue = 0xE000E018;
constexpr uintptr_t kVectorTable = 0xE000ED08;
constexpr size_t kSysTickVector = 15;

void on_tick() {
  const size_t sample = runs_in_interrupt % 3;
  const bool good = fill(*add_model, kAdd, sample) && add_model->run() == Error::Ok && right(*add_model, kAdd, sample);
  if (!good) {
    wrong_in_interrupt = wrong_in_interrupt + 1;
  }
  runs_in_interrupt = runs_in_interrupt + 1;
  if (runs_in_interrupt == kRuns) {
    reg(kSysTickControl) = 0;
  }
}

alignas(512) uintptr_t vectors[16];

void interrupt() {
  Model kws({{arena, sizeof(arena)}});
  Model add({{small_arenas[0], sizeof(small_arenas[0])}});
  check(kws.load(kKws.image, kKws.image_bytes()) == Error::Ok, "kws", kws.message());
  check(add.load(kAdd.image, kAdd.image_bytes()) == Error::Ok, "add", add.message());
  add_model = &add;
  memcpy(vectors, reinterpret_cast<const void*>(static_cast<uintptr_t>(reg(kVectorTable))), sizeof(vectors));
  vectors[kSysTickVector] = reinterpret_cast<uintptr_t>(&on_tick);
  reg(kVectorTable) = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(vectors));
  uint32_t rounds = 0;
  uint32_t interrupted = 0;
  reg(kSysTickReload) = kTicksBetween;
  reg(kSysTickValue) = 0;
  reg(kSysTickControl) = 7;
  while (runs_in_interrupt < kRuns && !failed) {
    const uint32_t before = runs_in_interrupt;
    check(fill(kws, kKws, rounds % 3) && kws.run() == Error::Ok, "kws", kws.message());
    interrupted += runs_in_interrupt - before;
    check(right(kws, kKws, rounds % 3), "kws is wrong when interrupted");
    ++rounds;
  }
  print("%u runs of add in interrupts, %u of them within %u runs of kws\n", static_cast<unsigned>(runs_in_interrupt),
        static_cast<unsigned>(interrupted), static_cast<unsigned>(rounds));
  check(wrong_in_interrupt == 0, "add is wrong in the interrupt");
  check(runs_in_interrupt == kRuns && interrupted > kRuns * 9 / 10, "too few interrupts came within a run");
}

}  // namespace

int main() {
  char words[64];
  wick::semihosting::command_line(words, sizeof(words));
  if (strcmp(words, "figures") == 0) {
    figures();
  } else if (strcmp(words, "share") == 0) {
    share();
  } else if (strcmp(words, "interrupt") == 0) {
    interrupt();
  } else {
    check(false, "unknown words:", words);
  }
  return finish();
}
