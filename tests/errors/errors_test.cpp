// SPDX-License-Identifier: BSD-3-Clause
// Holds docs/errors.md to the runtime: every row of its first three tables is a way to provoke the message here, and
// every way here is a row. (The table of the build and the tools: tests/docs.)
#include <executorch/extension/tensor/tensor.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <wick/model.h>

#include <functional>
#include <map>

#include "tests/executor/pools.h"
#include "tests/platform/recorded_platform.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::extension::from_blob;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;
using wick::Model;

alignas(16) float numbers[1024];

// ---- Ways to fail ------------------------------------------------------------------------------

Error load(const std::vector<uint8_t>& bytes, size_t skew = 0) {
  std::vector<uint8_t> room(bytes.size() + 32);
  uint8_t* const at = room.data() + (16 - reinterpret_cast<uintptr_t>(room.data()) % 16) + skew;
  std::copy(bytes.begin(), bytes.end(), at);
  BufferDataLoader loader(at, bytes.size());
  return Program::load(&loader, Program::Verification::InternalConsistency).error();
}

std::vector<uint8_t> bytes_of(const std::string& name) { return Image::read(std::string(WICK_CASES "/") + name); }

std::vector<uint8_t> filled(int value) { return std::vector<uint8_t>(4096, static_cast<uint8_t>(value)); }

/// add.float with some bytes changed.
std::vector<uint8_t> with(const std::string& text, const std::string& other, size_t at = SIZE_MAX) {
  std::vector<uint8_t> bytes = bytes_of("add.float.pte");
  const auto found = std::search(bytes.begin(), bytes.end(), text.begin(), text.end());
  std::copy(other.begin(), other.end(), at == SIZE_MAX ? found : bytes.begin() + static_cast<ptrdiff_t>(at));
  return bytes;
}

/// Loads a method with pools of these sizes, and goes on with it.
Error load_method(const std::vector<uint8_t>& bytes, const std::function<Error(Method&)>& then = nullptr,
                  size_t method_bytes = 1 << 16, const char* name = "forward") {
  Image image(bytes);
  BufferDataLoader loader(image.data(), image.size());
  const Result<Program> program = Program::load(&loader);
  if (!program.ok()) {
    return program.error();
  }
  Pools pools(*program, "forward", method_bytes);
  Result<Method> method = program->load_method(name, pools.manager.get());
  return method.ok() && then != nullptr ? then(*method) : method.error();
}

Error load_without(bool planned_memory) {
  Image image("add.float.pte");
  BufferDataLoader loader(image.data(), image.size());
  const Result<Program> program = Program::load(&loader);
  alignas(16) static uint8_t pool[4096];
  alignas(16) static uint8_t planned_bytes[4096];
  executorch::runtime::MemoryAllocator allocator(sizeof(pool), pool);
  Span<uint8_t> buffer(planned_bytes + 1, sizeof(planned_bytes) - 1);
  executorch::runtime::HierarchicalAllocator planned({&buffer, 1});
  executorch::runtime::MemoryManager manager(&allocator, planned_memory ? &planned : nullptr);
  return program->load_method("forward", &manager).error();
}

/// add.float takes two tensors [1, 8, 4, 4].
Error set(Method& method, std::vector<int32_t> sizes, executorch::aten::ScalarType type, size_t index = 0) {
  const auto tensor = from_blob(numbers, std::move(sizes), type);
  return method.set_input(EValue(*tensor), index);
}

Error with_add(const std::function<Error(Method&)>& then) { return load_method(bytes_of("add.float.pte"), then); }

Error run_failing_kernel() {
  static const executorch::runtime::Kernel kernel(
      "my::adder.out", [](KernelRuntimeContext& context, Span<EValue*>) { context.fail(Error::InvalidArgument); });
  if (executorch::runtime::register_kernel(kernel) != Error::Ok) {
    return Error::Internal;
  }
  return load_method(with("aten::add", "my::adder"), [](Method& method) {
    const Error first = set(method, {1, 8, 4, 4}, executorch::aten::ScalarType::Float, 0);
    const Error second = set(method, {1, 8, 4, 4}, executorch::aten::ScalarType::Float, 1);
    return first != Error::Ok || second != Error::Ok ? Error::Internal : method.execute();
  });
}

Error with_model(size_t arena_bytes, const std::function<Error(Model&)>& then, const char* name = "add.float.pte") {
  Image image(name);
  std::vector<uint8_t> arena(arena_bytes + 16);
  Model model({{arena.data() + (16 - reinterpret_cast<uintptr_t>(arena.data()) % 16), arena_bytes}});
  const Error error = model.load(image.data(), image.size());
  return error == Error::Ok && then != nullptr ? then(model) : error;
}

Error bind_odd(Model& model) {
  return model.bind_input(0, reinterpret_cast<uint8_t*>(numbers) + 1, sizeof(numbers) - 1);
}

Error use_in_turn() {
  Image image("add.float.pte");
  std::vector<uint8_t> shared(1 << 14);
  std::vector<uint8_t> arenas(1 << 14);
  wick::TransientMemory transient = {shared.data(), shared.size()};
  Model a({{arenas.data(), 8192}, {}, &transient});
  Model b({{arenas.data() + 8192, 8192}, {}, &transient});
  if (a.load(image.data(), image.size()) != Error::Ok || b.load(image.data(), image.size()) != Error::Ok) {
    return Error::Internal;
  }
  a.input<float>(0);
  a.input<float>(1);
  return b.run() == Error::Ok ? a.run() : Error::Internal;
}

const std::map<std::string, std::function<Error()>>& ways() {
  using executorch::aten::ScalarType;
  static const std::map<std::string, std::function<Error()>> all = {
      // Loading a program
      {"the program is truncated: its header asks for … bytes, … are there",
       [] {
         std::vector<uint8_t> bytes = bytes_of("kws.float.pte");
         bytes.resize(1000);
         return load(bytes);
       }},
      {"no program here: the memory is erased", [] { return load(filled(0xFF)); }},
      {"not a program: bytes 4-7 are", [] { return load(filled('x')); }},
      {"this is a bundled program (.bpte)", [] { return load(bytes_of("add.float.bpte")); }},
      {"this is a data file (.ptd), not a program", [] { return load(bytes_of("ptdnet.ext2.w0.ptd")); }},
      {"program format 'ET11' is not 'ET12'", [] { return load(with("ET12", "ET11")); }},
      {"the program's tables are corrupt or truncated", [] { return load(with("", "\xf0\xff\xff\x7f", 0)); }},
      {"the program at … must lie on a multiple of", [] { return load(bytes_of("add.float.pte"), 1); }},
      {"the program has no method '…'",
       [] { return load_method(bytes_of("add.float.pte"), nullptr, 1 << 16, "backward"); }},
      {"the image has no kernel for: …", [] { return load_method(with("aten::add", "aten::adx")); }},
      {"operator '…' is called with … arguments, which this runtime's kernel does not take",
       [] { return load_method(with("aten::add", "aten::abs")); }},
      {"operator '…' is called with dtypes … and …, which cannot be combined",
       [] { return load_method(bytes_of("../versions/1.1.0/cortex_m_fc.pte")); }},
      {"the program needs the backend '…'",
       [] { return load_method(bytes_of("../../../../models/kws.ethosu55.pte")); }},
      {"the weight '…' is in a .ptd file: give load_method() its data map",
       [] { return load_method(bytes_of("ptdnet.ext.pte")); }},
      {"pool of … bytes is too small: … requested", [] { return load_method(bytes_of("add.float.pte"), nullptr, 64); }},
      {"the program plans its memory: give the MemoryManager a HierarchicalAllocator",
       [] { return load_without(false); }},
      {"a tensor's data at … is not aligned to its elements", [] { return load_without(true); }},
      // Running it
      {"input … is not set", [] { return with_add([](Method& method) { return method.execute(); }); }},
      {"output … has no memory: call set_output_data_ptr()",
       [] { return load_method(bytes_of("kws.float_noio.pte"), [](Method& method) {
              (void)set(method, {1, 1, 49, 10}, ScalarType::Float);
              return method.execute();
            }); }},
      {"input … does not exist: the method has …",
       [] { return with_add([](Method& method) {
              return set(method, {1, 8, 4, 4}, ScalarType::Float, 2);
            }); }},
      {"input … has the wrong dtype: expected …, got …",
       [] { return with_add([](Method& method) {
              return set(method, {1, 8, 4, 4}, ScalarType::Int);
            }); }},
      {"input … has a shape that the method does not take",
       [] { return with_add([](Method& method) {
              return set(method, {1, 8, 4, 5}, ScalarType::Float);
            }); }},
      {"input … does not suit: it must have the declared type",
       [] { return with_add([](Method& method) { return method.set_input(EValue(int64_t{1}), 0); }); }},
      {"output … is planned or constant: the program decides where it lies",
       [] { return with_add([](Method& method) { return method.set_output_data_ptr(numbers, sizeof(numbers), 0); }); }},
      {"instruction … (my::adder.out) failed: 0x", run_failing_kernel},
      {"stopped after … instructions: an endless loop?",
       [] {
         return load_method(bytes_of("mlp.float.pte"), [](Method& method) {
           method.set_instruction_limit(1);
           const Error error = set(method, {1, 784}, ScalarType::Float);
           return error == Error::Ok ? method.execute() : Error::Internal;
         });
       }},
      // wick::Model
      {"the arena is … bytes too small: it has … of … (planned …, method …, loading …)",
       [] { return with_model(1024, nullptr); }},
      {"the arena of … bytes is too small by at least …", [] { return with_model(32, nullptr, "kws.float.pte"); }},
      {"there is no program at … (… bytes searched)",
       [] {
         Model model({});
         return model.load(numbers, sizeof(numbers));
       }},
      {"no program is loaded",
       [] {
         Model model({});
         return model.run();
       }},
      {"input … is …, not …",
       [] {
         return with_model(
             8192, [](Model& model) { return model.input<int8_t>(0).empty() ? Error::InvalidArgument : Error::Ok; });
       }},
      {"there is no such tensor: the method has … inputs and … outputs",
       [] { return with_model(8192, [](Model& model) { return model.bind_input(7, numbers, 4); }); }},
      {"a buffer at … cannot be bound: it must be at a multiple of …", [] { return with_model(8192, bind_odd); }},
      {"the program plans the place of input …: export with alloc_graph_input=False",
       [] { return with_model(8192, [](Model& model) { return model.bind_input(0, numbers, sizeof(numbers)); }); }},
      {"another model has used the transient memory since the inputs were set", use_in_turn},
  };
  return all;
}

// ---- The page ----------------------------------------------------------------------------------

struct Row {
  std::string message;
  std::string code;
};

/// The rows of the tables that have a code: | `message` | code | cause | remedy |
std::vector<Row> documented() {
  std::ifstream page(WICK_ERRORS);
  EXPECT_TRUE(page.good()) << WICK_ERRORS;
  std::vector<Row> rows;
  std::string line;
  while (std::getline(page, line) && line.rfind("## The build", 0) != 0) {
    const size_t end = line.find("` | `", 3);
    if (line.rfind("| `", 0) == 0 && end != std::string::npos) {
      rows.push_back({line.substr(3, end - 3), line.substr(end + 5, line.find('`', end + 5) - end - 5)});
    }
  }
  return rows;
}

/// Whether a logged text holds the pieces of a message between its ellipses, in this order.
bool holds(const std::string& text, const std::string& message) {
  const std::string ellipsis = "…";
  size_t at = 0;
  for (size_t from = 0; from <= message.size();) {
    const size_t end = std::min(message.find(ellipsis, from), message.size());
    at = text.find(message.substr(from, end - from), at);
    if (at == std::string::npos) {
      return false;
    }
    at += end - from;
    from = end + ellipsis.size();
  }
  return true;
}

TEST(Errors, EveryMessageOfThePageComesWithItsCode) {
  const std::vector<Row> rows = documented();
  ASSERT_GT(rows.size(), 30u);
  for (const Row& row : rows) {
    const auto way = ways().find(row.message);
    ASSERT_NE(way, ways().end()) << "docs/errors.md has a message that no test provokes: " << row.message;
    RecordedPlatform platform;
    const Error error = way->second();
    EXPECT_EQ(std::string("Error::") + row.code, executorch::runtime::to_string(error)) << row.message;
    bool logged = false;
    std::string all;
    for (const LoggedMessage& message : RecordedPlatform::messages()) {
      logged = logged || holds(message.text, row.message);
      all += message.text + "\n";
    }
    EXPECT_TRUE(logged) << row.message << "\nlogged instead:\n" << all;
  }
}

TEST(Errors, EveryMessageThatIsProvokedHereIsOnThePage) {
  std::map<std::string, unsigned> on_page;
  for (const Row& row : documented()) {
    ++on_page[row.message];
  }
  for (const auto& [message, way] : ways()) {
    EXPECT_EQ(on_page[message], 1u) << message;
  }
}

}  // namespace
