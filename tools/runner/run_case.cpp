// SPDX-License-Identifier: BSD-3-Clause
// The case runner: one program per session, its methods loaded side by side over shared planned buffers, then the
// calls in the job's order.
#include "tools/runner/run_case.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <wick/ethos_u.h>

#include <new>
#include <optional>
#include <utility>

#include "tools/runner/bundle.h"
#include "tools/runner/data_files.h"
#include "tools/runner/data_maps.h"
#include "tools/runner/delegate.h"
#include "tools/runner/records.h"
#include "tools/runner/sweep.h"
#include "tools/runner/tensors.h"

namespace wick::runner {
namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Span;

/// The head of a case, as read from the job.
struct CaseHead {
  uint32_t index;
  uint32_t flags;
  uint32_t max_instructions;
  double atol;
  double rtol;
  const char* program_path;
  const char* bin_path;
  uint32_t data_count;
  Reader data_paths;
};

/// Of the case that runs: where the NPU model tells that it goes on.
Records* running_records = nullptr;

CaseHead read_head(Reader& job) {
  CaseHead head{job.u32(), job.u32(), job.u32(), job.f64(), job.f64(), job.c_string(), job.c_string(), job.u32(), job};
  for (uint32_t i = 0; i < head.data_count && job.ok(); ++i) {
    job.c_string();
  }
  return head;
}

/// Everything one session owns. Objects are built in port memory, because a session's size is known at run time.
class Session {
 public:
  Session(const CaseHead& head, uint32_t number, Port& port, Records& records)
      : head_(head), number_(number), port_(port), records_(records) {}

  ~Session() {
    for (uint32_t i = 0; i < loaded_; ++i) {
      methods_[i]->~Method();
    }
    for (uint32_t i = 0; i < maps_loaded_; ++i) {
      unload_data_file(maps_[i]);
    }
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Consumes one session of the job.
  void run(Reader& job) {
    const uint32_t method_count = job.u32();
    names_ = make_array<const char*>(method_count);
    for (uint32_t i = 0; i < method_count && job.ok(); ++i) {
      names_[i] = job.c_string();
    }
    FileImage image{};
    if (!read_whole(port_, head_.program_path, image)) {
      return fail(Stage::kRead, 0, 0, Error::AccessFailed);
    }
    FileImage bundle = image;
    if ((head_.flags & kBundled) != 0 && !unwrap_bundle(bundle, image)) {
      return fail(Stage::kBundle, 0, 0, Error::InvalidProgram);
    }
    loader_.emplace(image.data, image.size);
    executorch::runtime::Result<Program> program = Program::load(&*loader_);
    if (!program.ok()) {
      return fail(Stage::kProgram, 0, 0, program.error());
    }
    program_.emplace(std::move(*program));
    if (!load_data() || !load_methods(method_count)) {
      return;
    }
    const uint32_t calls = job.u32();
    for (uint32_t call = 0; call < calls && job.ok(); ++call) {
      if (!run_call(job, call, bundle)) {
        return;
      }
    }
  }

 private:
  template <typename T>
  T* make_array(size_t count) {
    return static_cast<T*>(port_.allocate(count * sizeof(T) + 1));
  }

  void fail(Stage stage, uint32_t call, uint32_t item, Error error) {
    records_.failed(stage, number_, call, item, error);
  }

  bool load_data() {
    const uint32_t count = head_.data_count;
    maps_ = make_array<executorch::runtime::NamedDataMap*>(count);
    Reader paths = head_.data_paths;
    for (uint32_t i = 0; i < count; ++i) {
      FileImage image{};
      if (!read_whole(port_, paths.c_string(), image)) {
        fail(Stage::kRead, 0, i + 1, Error::AccessFailed);
        return false;
      }
      auto map = load_data_file(port_, image);
      if (!map.ok()) {
        fail(Stage::kData, 0, i, map.error());
        return false;
      }
      maps_[i] = *map;
      ++maps_loaded_;
    }
    data_ = DataMaps(maps_, count);
    return true;
  }

  bool load_methods(uint32_t count) {
    const DataMaps* data = head_.data_count > 0 ? &data_ : nullptr;
    PlannedMemory planned(port_);
    for (uint32_t i = 0; i < count; ++i) {
      const auto meta = program_->method_meta(names_[i]);
      if (!meta.ok()) {
        fail(Stage::kMethod, 0, i, meta.error());
        return false;
      }
      if (!planned.want(*meta)) {
        fail(Stage::kMemory, 0, i, Error::MemoryAllocationFailed);
        return false;
      }
    }
    if (!planned.allocate()) {
      fail(Stage::kMemory, 0, 0, Error::MemoryAllocationFailed);
      return false;
    }
    records_.planned_bytes(planned.bytes());
    auto* hierarchy = new (port_.allocate(sizeof(HierarchicalAllocator))) HierarchicalAllocator(planned.spans());
    auto* manager =
        new (port_.allocate(sizeof(MemoryManager))) MemoryManager(&port_.method_pool(), hierarchy, &port_.temp_pool());
    methods_ = make_array<Method*>(count);
    for (uint32_t i = 0; i < count; ++i) {
      auto method = program_->load_method(names_[i], manager, nullptr, data);
      if (!method.ok()) {
        fail(Stage::kMethod, 0, i, method.error());
        return false;
      }
      methods_[i] = new (port_.allocate(sizeof(Method))) Method(std::move(*method));
      loaded_ = i + 1;
    }
    return true;
  }

  bool run_call(Reader& job, uint32_t call, const FileImage& bundle) {
    const uint32_t which = job.u32();
    const uint32_t test_set = job.u32();
    if (which >= loaded_) {
      fail(Stage::kMethod, call, which, Error::InvalidArgument);
      return false;
    }
    Method& method = *methods_[which];
    if ((head_.flags & kBundled) != 0) {
      const Error error = load_bundled(method, bundle, test_set);
      if (error != Error::Ok) {
        fail(Stage::kInput, call, 0, error);
        return false;
      }
      job.u32();  // A bundled call brings no inputs of its own.
    } else if (!set_inputs(job, call, method)) {
      return false;
    }
    if (!provide_outputs(method, port_)) {
      fail(Stage::kMemory, call, 0, Error::MemoryAllocationFailed);
      return false;
    }
    method.set_operator_hook(
        [](void* records, size_t, size_t) {
          static_cast<Records*>(records)->progress();
          return true;
        },
        &records_);
    const Error error = method.execute();
    if (error != Error::Ok) {
      fail(Stage::kExecute, call, 0, error);
      return false;
    }
    for (uint32_t i = 0; i < method.outputs_size(); ++i) {
      records_.output(number_, call, i, method.get_output(i));
    }
    if ((head_.flags & kBundled) != 0) {
      const BundleVerdict verdict = verify_bundled(method, bundle, test_set, head_.rtol, head_.atol);
      records_.bundle(number_, call, verdict.error, verdict.max_abs, verdict.mean_abs);
    }
    records_.call_done(number_, call);
    return true;
  }

  bool set_inputs(Reader& job, uint32_t call, Method& method) {
    const uint32_t count = job.u32();
    for (uint32_t i = 0; i < count; ++i) {
      EValue value;
      const Error read = read_input(job, port_, head_.bin_path, value);
      const Error error = read != Error::Ok ? read : method.set_input(value, i);
      if (error != Error::Ok) {
        fail(read != Error::Ok ? Stage::kRead : Stage::kInput, call, i, error);
        return false;
      }
    }
    return true;
  }

  const CaseHead& head_;
  uint32_t number_;
  Port& port_;
  Records& records_;
  std::optional<BufferDataLoader> loader_;
  std::optional<Program> program_;
  DataMaps data_{nullptr, 0};
  const char** names_ = nullptr;
  executorch::runtime::NamedDataMap** maps_ = nullptr;
  uint32_t maps_loaded_ = 0;
  Method** methods_ = nullptr;
  uint32_t loaded_ = 0;
};

}  // namespace
}  // namespace wick::runner

extern "C" void wick_ethos_u_model_progress() {
  if (wick::runner::running_records != nullptr) {
    wick::runner::running_records->progress();
  }
}

namespace wick::runner {

void run_case(Reader job, Port& port) {
  const CaseHead head = read_head(job);
  Records records(port);
  running_records = &records;
  records.case_begin(head.index);
  if ((head.flags & kSweep) != 0) {
    sweep(head.program_path, head.max_instructions, port);
  } else {
    const uint32_t sessions = job.u32();
    for (uint32_t i = 0; i < sessions && job.ok(); ++i) {
      const size_t bytes = job.u32();
      const uint8_t* at = job.take(bytes);
      if (at == nullptr) {
        break;
      }
      Reader session(at, bytes);
      if ((head.flags & kDelegate) != 0) {
        run_delegate(session, i, head.program_path, head.bin_path, port, records);
      } else {
        Session running(head, i, port, records);
        running.run(session);
        records.note_pools();
      }
      port.release();
    }
  }
  port.release();
  records.case_end(head.index);
  running_records = nullptr;
}

}  // namespace wick::runner
