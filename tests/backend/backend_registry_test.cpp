// SPDX-License-Identifier: BSD-3-Clause
// Finding backends: those of the image's table and those that a program registers.

#include <executorch/runtime/backend/interface.h>
#include <gtest/gtest.h>
#include <wick/backend_table.h>

#include <string>

namespace {

using namespace executorch::runtime;

class TestBackend : public BackendInterface {
 public:
  bool is_available() const override { return true; }
  Result<DelegateHandle*> init(BackendInitContext&, FreeableBuffer*, ArrayRef<CompileSpec>) const override {
    return Error::NotImplemented;
  }
  Error execute(BackendExecutionContext&, DelegateHandle*, Span<EValue*>) const override {
    return Error::NotImplemented;
  }
};

class BackendWithThreads : public TestBackend {
 public:
  Error set_option(BackendOptionContext&, const Span<BackendOption>& options) override {
    for (const BackendOption& option : options) {
      if (std::string(option.key) != "threads" || !std::holds_alternative<int>(option.value)) {
        return Error::InvalidArgument;
      }
      threads_ = std::get<int>(option.value);
    }
    return Error::Ok;
  }
  Error get_option(BackendOptionContext&, Span<BackendOption>& options) override {
    for (BackendOption& option : options) option.value = threads_;
    return Error::Ok;
  }

 private:
  int threads_ = 1;
};

TestBackend built_in;
BackendWithThreads with_threads;
const Backend table[] = {{"BuiltIn", &built_in}, {"WithThreads", &with_threads}};

}  // namespace

extern const wick::BackendTable wick_backend_table = {table, 2};

namespace {

TEST(BackendRegistry, TheTableNeedsNoRegistration) {
  EXPECT_EQ(get_backend_class("BuiltIn"), &built_in);
  EXPECT_EQ(get_backend_class("Builtin"), nullptr);
  EXPECT_EQ(get_backend_class(""), nullptr);
}

TEST(BackendRegistry, RegisteredBackendsAreFoundAndCounted) {
  static TestBackend backend;
  const size_t before = get_num_registered_backends();
  ASSERT_EQ(register_backend({"Registered", &backend}), Error::Ok);
  EXPECT_EQ(get_backend_class("Registered"), &backend);
  ASSERT_EQ(get_num_registered_backends(), before + 1);
  std::string names;
  for (size_t i = 0; i < get_num_registered_backends(); ++i) names += std::string(*get_backend_name(i)) + " ";
  EXPECT_EQ(names, "Registered BuiltIn WithThreads ");
  EXPECT_EQ(get_backend_name(get_num_registered_backends()).error(), Error::InvalidArgument);
}

TEST(BackendRegistry, ANameIsTakenOnce) {
  static TestBackend backend;
  EXPECT_EQ(register_backend({"BuiltIn", &backend}), Error::InvalidArgument);
  EXPECT_EQ(get_backend_class("BuiltIn"), &built_in);
}

TEST(BackendRegistry, OptionsReachTheBackend) {
  BackendOptions<1> options;
  options.set_option("threads", 4);
  EXPECT_EQ(set_option("WithThreads", options.view()), Error::Ok);
  options.set_option("threads", 0);
  EXPECT_EQ(get_option("WithThreads", options.view()), Error::Ok);
  int threads = 0;
  EXPECT_EQ(options.get_option("threads", threads), Error::Ok);
  EXPECT_EQ(threads, 4);
  options.set_option("threads", true);
  EXPECT_EQ(set_option("WithThreads", options.view()), Error::InvalidArgument);
  EXPECT_EQ(set_option("BuiltIn", options.view()), Error::Ok);
  EXPECT_EQ(get_option("BuiltIn", options.view()), Error::Ok);
  EXPECT_EQ(set_option("Missing", options.view()), Error::NotFound);
  EXPECT_EQ(get_option("Missing", options.view()), Error::NotFound);
}

TEST(BackendRegistry, ZRunsFullAfterSixteen) {  // last: the registry cannot be emptied
  static TestBackend backend;
  static std::string names[17];
  Error error = Error::Ok;
  for (int i = 0; i < 17 && error == Error::Ok; ++i) {
    names[i] = "Backend" + std::to_string(i);
    error = register_backend({names[i].c_str(), &backend});
  }
  EXPECT_EQ(error, Error::Internal);
  EXPECT_EQ(get_num_registered_backends(), 18u);
}

TEST(BackendContexts, TemporaryMemoryMayBeMissing) {
  BackendExecutionContext without;
  EXPECT_EQ(without.allocate(4), nullptr);
  EXPECT_EQ(without.get_temp_allocator(), nullptr);
  EXPECT_EQ(without.get_method_name(), nullptr);
  alignas(16) uint8_t pool[32];
  MemoryAllocator allocator(sizeof(pool), pool);
  BackendExecutionContext with(nullptr, &allocator, "forward");
  EXPECT_NE(with.allocate(16, 16), nullptr);
  EXPECT_EQ(with.allocate(100), nullptr);
  EXPECT_STREQ(with.get_method_name(), "forward");
}

TEST(BackendContexts, SpecsAreReadByKeyAndType) {
  BackendOptions<3> options;
  options.set_option("flag", true);
  options.set_option("threads", 4);
  options.set_option("unit", "npu");
  const Span<BackendOption> view = options.view();
  BackendInitContext context(nullptr, nullptr, "forward", nullptr, Span<const BackendOption>(view.data(), view.size()));
  EXPECT_EQ(*context.get_runtime_spec<bool>("flag"), true);
  EXPECT_EQ(*context.get_runtime_spec<int>("threads"), 4);
  EXPECT_STREQ(*context.get_runtime_spec<const char*>("unit"), "npu");
  EXPECT_EQ(context.get_runtime_spec<int>("unit").error(), Error::InvalidArgument);
  EXPECT_EQ(context.get_runtime_spec<const char*>("flag").error(), Error::InvalidArgument);
  EXPECT_EQ(context.get_runtime_spec<int>("missing").error(), Error::NotFound);
  EXPECT_EQ(context.runtime_specs().size(), 3u);
}

}  // namespace
