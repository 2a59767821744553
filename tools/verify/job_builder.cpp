// SPDX-License-Identifier: BSD-3-Clause
// Encoding of jobs and decoding of records; the formats are described in tools/runner/job.h.
#include "tools/verify/job_builder.h"

#include <executorch/runtime/core/error.h>
#include <fmt/format.h>

#include <algorithm>

#include "tools/runner/delegate.h"

namespace wick::tools {
namespace {

using runner::Reader;
using runner::RecordKind;
using runner::Stage;
using runner::ValueKind;

std::string absolute_path(const std::filesystem::path& path) {
  return path.empty() ? std::string() : std::filesystem::absolute(path).string();
}

void write_input(ByteWriter& out, const Value& value) {
  out.u32(static_cast<uint32_t>(value.kind));
  switch (value.kind) {
    case ValueKind::kInt:
      out.i64(value.integer);
      break;
    case ValueKind::kDouble:
      out.f64(value.real);
      break;
    case ValueKind::kBool:
      out.u32(value.boolean ? 1 : 0);
      break;
    case ValueKind::kTensor:
      out.u32(static_cast<uint32_t>(value.dtype));
      out.u32(static_cast<uint32_t>(value.sizes.size()));
      for (const int32_t size : value.sizes) {
        out.u32(static_cast<uint32_t>(size));
      }
      for (const uint8_t dim : value.dim_order) {
        out.u32(dim);
      }
      out.u32(static_cast<uint32_t>(value.offset));
      out.u32(static_cast<uint32_t>(value.nbytes));
      break;
    default:
      break;
  }
}

void write_inputs(ByteWriter& out, const Sample& sample) {
  out.u32(static_cast<uint32_t>(sample.inputs.size()));
  for (const Value& input : sample.inputs) {
    write_input(out, input);
  }
}

/// The methods of a session in the order in which they are first called; all methods when nothing is called.
std::vector<size_t> session_methods(const Case& test, const std::vector<PlannedCall>& calls) {
  std::vector<size_t> methods;
  for (const PlannedCall& call : calls) {
    if (std::find(methods.begin(), methods.end(), call.method) == methods.end()) {
      methods.push_back(call.method);
    }
  }
  for (size_t i = 0; calls.empty() && i < test.methods.size(); ++i) {
    methods.push_back(i);
  }
  return methods;
}

Bytes session_job(const Case& test, Form form, const std::vector<PlannedCall>& calls) {
  const std::vector<size_t> methods = session_methods(test, calls);
  ByteWriter out;
  out.u32(static_cast<uint32_t>(methods.size()));
  for (const size_t method : methods) {
    out.string(test.methods[method].name);
  }
  out.u32(static_cast<uint32_t>(calls.size()));
  for (const PlannedCall& call : calls) {
    const auto at = std::find(methods.begin(), methods.end(), call.method);
    out.u32(static_cast<uint32_t>(at - methods.begin()));
    out.u32(static_cast<uint32_t>(call.sample));
    const Sample& sample = test.methods[call.method].samples[call.sample];
    if (form == Form::kBundle) {
      out.u32(0);
      continue;
    }
    write_inputs(out, sample);
  }
  return out.bytes();
}

/// A session of a delegate's payload (see tools/runner/delegate.h).
Bytes delegate_session_job(const Case& test, const std::vector<PlannedCall>& calls) {
  const DelegatePayload& payload = *test.payload;
  ByteWriter out;
  out.u32(static_cast<uint32_t>(payload.offset));
  out.u32(static_cast<uint32_t>(payload.size));
  out.u32(static_cast<uint32_t>(payload.fast_scratch_size));
  out.u32((payload.zeroed_scratch ? uint32_t{runner::kZeroedScratch} : 0u) |
          (payload.table_past_shram ? uint32_t{runner::kTablePastShram} : 0u));
  out.u32(static_cast<uint32_t>(calls.size()));
  for (const PlannedCall& call : calls) {
    const Sample& sample = test.methods[call.method].samples[call.sample];
    write_inputs(out, sample);
    const std::vector<std::string> sources = counting_sources(test, sample);
    static const std::vector<Value> nothing;
    const std::vector<Value>& outputs = sources.empty() ? nothing : sample.expected.at(sources.front());
    out.u32(static_cast<uint32_t>(outputs.size()));
    for (const Value& output : outputs) {
      out.u32(static_cast<uint32_t>(output.dtype));
      out.u32(static_cast<uint32_t>(output.sizes.size()));
      for (const int32_t size : output.sizes) {
        out.u32(static_cast<uint32_t>(size));
      }
    }
  }
  return out.bytes();
}

/// Grows `list` so that `index` exists; null when the index is absurd (a corrupt stream).
template <typename T>
T* slot(std::vector<T>& list, uint32_t index) {
  constexpr uint32_t kMost = 1u << 16;
  if (index >= kMost) {
    return nullptr;
  }
  if (index >= list.size()) {
    list.resize(index + 1);
  }
  return &list[index];
}

CallAnswer* call_slot(Answer& answer, Reader& payload) {
  const uint32_t session = payload.u32();
  const uint32_t call = payload.u32();
  auto* calls = slot(answer.calls, session);
  return calls != nullptr ? slot(*calls, call) : nullptr;
}

void read_output(Reader& payload, Output& output) {
  Value& value = output.value;
  value.kind = static_cast<ValueKind>(payload.u32());
  if (value.kind == ValueKind::kInt) {
    value.integer = payload.i64();
  } else if (value.kind == ValueKind::kDouble) {
    value.real = payload.f64();
  } else if (value.kind == ValueKind::kBool) {
    value.boolean = payload.u32() != 0;
  } else if (value.kind == ValueKind::kTensor) {
    value.dtype = static_cast<ScalarType>(payload.u32());
    const uint32_t dims = std::min<uint32_t>(payload.u32(), 16);
    for (uint32_t d = 0; d < dims; ++d) {
      value.sizes.push_back(static_cast<int32_t>(payload.u32()));
    }
    for (uint32_t d = 0; d < dims; ++d) {
      value.dim_order.push_back(static_cast<uint8_t>(payload.u32()));
    }
    value.nbytes = payload.left();
    if (const uint8_t* data = payload.take(payload.left())) {
      output.data.assign(data, data + value.nbytes);
    }
  }
}

void read_record(RecordKind kind, Reader payload, Answer& answer) {
  switch (kind) {
    case RecordKind::kOutput:
      if (CallAnswer* call = call_slot(answer, payload)) {
        if (Output* output = slot(call->outputs, payload.u32())) {
          read_output(payload, *output);
        }
      }
      break;
    case RecordKind::kCallDone:
      if (CallAnswer* call = call_slot(answer, payload)) {
        call->done = true;
      }
      break;
    case RecordKind::kFailed: {
      const auto stage = static_cast<Stage>(payload.u32());
      const uint32_t session = payload.u32();
      const uint32_t call = payload.u32();
      const uint32_t item = payload.u32();
      answer.failures.push_back({stage, session, call, item, payload.u32()});
      break;
    }
    case RecordKind::kBundle:
      if (CallAnswer* call = call_slot(answer, payload)) {
        call->has_bundle_verdict = true;
        call->bundle_error = payload.u32();
        call->bundle_max_abs = payload.f64();
      }
      break;
    default:
      break;
  }
}

}  // namespace

Plan make_plan(const Case& test, Form form) {
  Plan plan;
  if (test.load_only) {
    plan.sessions.emplace_back();
    return plan;
  }
  if (!test.sequence.empty()) {
    plan.sessions.emplace_back();
    for (const auto& [method, sample] : test.sequence) {
      plan.sessions.back().push_back({method, sample});
    }
  } else {
    for (size_t m = 0; m < test.methods.size(); ++m) {
      for (size_t s = 0; s < test.methods[m].samples.size(); ++s) {
        if (!test.stateful || plan.sessions.empty()) {
          plan.sessions.emplace_back();
        }
        plan.sessions.back().push_back({m, s});
      }
    }
  }
  if (form == Form::kBundle) {
    // The bundler takes tensors only: samples with a scalar are not in the bundle.
    for (auto& calls : plan.sessions) {
      calls.erase(std::remove_if(calls.begin(), calls.end(),
                                 [&](const PlannedCall& call) {
                                   const Sample& sample = test.methods[call.method].samples[call.sample];
                                   const auto scalar = [](const Value& v) { return v.kind != ValueKind::kTensor; };
                                   bool any = std::any_of(sample.inputs.begin(), sample.inputs.end(), scalar);
                                   for (const auto& [source, values] : sample.expected) {
                                     any = any || std::any_of(values.begin(), values.end(), scalar);
                                   }
                                   return any;
                                 }),
                  calls.end());
    }
    plan.sessions.erase(
        std::remove_if(plan.sessions.begin(), plan.sessions.end(), [](const auto& calls) { return calls.empty(); }),
        plan.sessions.end());
  }
  return plan;
}

Bytes case_job(const Case& test, Form form, const Plan& plan, uint32_t index) {
  ByteWriter out;
  out.u32(index);
  out.u32(test.payload ? uint32_t{runner::kDelegate} : form == Form::kBundle ? uint32_t{runner::kBundled} : 0u);
  out.u32(0);
  out.f64(test.tolerance.atol);
  out.f64(test.tolerance.rtol);
  out.string(absolute_path(form == Form::kBundle ? test.bundle : test.program));
  out.string(absolute_path(test.bin));
  out.u32(static_cast<uint32_t>(test.data_files.size()));
  for (const auto& file : test.data_files) {
    out.string(absolute_path(file));
  }
  out.u32(static_cast<uint32_t>(plan.sessions.size()));
  for (const auto& calls : plan.sessions) {
    out.part(test.payload ? delegate_session_job(test, calls) : session_job(test, form, calls));
  }
  return out.bytes();
}

Bytes sweep_job(const std::filesystem::path& file, uint32_t max_instructions, uint32_t index) {
  ByteWriter out;
  out.u32(index);
  out.u32(runner::kSweep);
  out.u32(max_instructions);
  out.f64(0);
  out.f64(0);
  out.string(absolute_path(file));
  out.string("");
  out.u32(0);
  out.u32(0);
  return out.bytes();
}

Bytes join_job(const std::vector<Bytes>& cases) {
  ByteWriter out;
  out.u32(runner::kJobMagic);
  out.u32(static_cast<uint32_t>(cases.size()));
  for (const Bytes& one : cases) {
    out.part(one);
  }
  return out.bytes();
}

std::vector<Answer> parse_records(const Bytes& stream, size_t case_count) {
  std::vector<Answer> answers(case_count);
  Reader reader(stream.data(), stream.size());
  Answer* current = nullptr;
  while (reader.left() >= 8) {
    const auto kind = static_cast<RecordKind>(reader.u32());
    const uint32_t bytes = reader.u32();
    const uint8_t* at = reader.take(bytes);
    if (at == nullptr) {
      break;
    }
    Reader payload(at, bytes);
    if (kind == RecordKind::kCaseBegin) {
      const uint32_t index = payload.u32();
      current = index < case_count ? &answers[index] : nullptr;
      if (current != nullptr) {
        *current = Answer();
        current->begun = true;
      }
    } else if (kind == RecordKind::kCaseEnd && current != nullptr) {
      payload.u32();
      current->ended = true;
      current->method_bytes = payload.u32();
      current->temp_bytes = payload.u32();
      current->planned_bytes = payload.u32();
      current = nullptr;
    } else if (current != nullptr) {
      read_record(kind, payload, *current);
    }
  }
  return answers;
}

std::string failure_text(const Failure& failure) {
  const char* name = executorch::runtime::to_string(static_cast<executorch::runtime::Error>(failure.error));
  std::string what;
  switch (failure.stage) {
    case Stage::kRead:
      what = "a file of the case could not be read";
      break;
    case Stage::kMemory:
      what = "planned buffers or outputs do not fit in memory";
      break;
    case Stage::kProgram:
      what = "Program::load failed";
      break;
    case Stage::kData:
      what = fmt::format("data file {} could not be loaded", failure.item);
      break;
    case Stage::kMethod:
      what = fmt::format("load_method failed (method {})", failure.item);
      break;
    case Stage::kInput:
      what = fmt::format("set_input failed for input {}", failure.item);
      break;
    case Stage::kExecute:
      what = "execute failed";
      break;
    case Stage::kOutput:
      what = fmt::format("output {} could not be read", failure.item);
      break;
    case Stage::kBundle:
      what = "the bundle holds no program";
      break;
  }
  return fmt::format("{}: error 0x{:x} ({})", what, failure.error, name);
}

}  // namespace wick::tools
