// SPDX-License-Identifier: BSD-3-Clause
// A conformance case as its JSON describes it (the format is that of the program corpus): programs, inputs, expected
// values by source, and the rules by which answers are judged.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/common/bytes.h"
#include "tools/common/dtype.h"
#include "tools/runner/job.h"

namespace wick::tools {

/// A value of a sample: a scalar, or a tensor that lies dense in memory order of `dim_order` in the case's bin file.
struct Value {
  runner::ValueKind kind = runner::ValueKind::kNone;
  int64_t integer = 0;
  double real = 0;
  bool boolean = false;

  ScalarType dtype = ScalarType::Float;
  std::vector<int32_t> sizes;      // logical order, e.g. N, C, H, W
  std::vector<uint8_t> dim_order;  // outermost to innermost in memory
  uint64_t offset = 0;             // bytes
  uint64_t nbytes = 0;
};

struct Sample {
  std::vector<Value> inputs;
  std::map<std::string, std::vector<Value>> expected;  // by source
};

struct CaseMethod {
  std::string name;
  std::vector<std::string> operators;
  std::vector<std::string> delegates;
  std::vector<int64_t> planned_buffers;  // bytes by buffer id
  std::vector<Sample> samples;
};

/// |got - want| <= atol + rtol * |want|; rtol is ignored for integers.
struct Tolerance {
  double atol = 0;
  double rtol = 0;
};

/// What a case wants of its program; kRefusal: that load_method refuses it.
enum class Expect { kValues, kError, kNoCrash, kRefusal };

/// A case at an Ethos-U delegate's boundary: the payload is a part of the file `Case::program`.
struct DelegatePayload {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t scratch_size = 0;
  uint64_t fast_scratch_size = 0;  // bytes of region 2, which the payload does not state
  bool zeroed_scratch = false;
  bool table_past_shram = false;
};

struct Case {
  std::filesystem::path json;
  std::filesystem::path program;
  std::filesystem::path bin;
  std::filesystem::path bundle;  // empty when there is none
  std::vector<std::filesystem::path> data_files;
  std::string kind;  // empty for a program, "ethos_u_delegate" for a payload alone
  std::optional<DelegatePayload> payload;
  std::string note;

  Tolerance tolerance;
  std::string reference;  // empty when no expected set counts
  std::vector<std::string> accept;
  Expect expect = Expect::kValues;
  bool load_only = false;
  bool stateful = false;
  std::vector<std::pair<size_t, size_t>> sequence;  // {method, sample} on one loaded program
  /// Outputs of which only sizes and dtype are compared; holds kAllOutputs when that is so for every output.
  std::set<size_t> shape_only;
  static constexpr size_t kAllOutputs = static_cast<size_t>(-1);

  std::vector<CaseMethod> methods;

  bool compares_shape_only(size_t output) const {
    return shape_only.count(output) > 0 || shape_only.count(kAllOutputs) > 0;
  }
};

/// True when the JSON is meant to be a case (rather than an index or other data that lies beside the cases).
bool is_case(const nlohmann::json& json);

/// Reads and checks a case. Throws ToolError that says what is malformed.
Case parse_case(const std::filesystem::path& path, const nlohmann::json& json);

/// The names of the expected sets that count for a sample, best first: `accept`, else `reference`, else (where a sample
/// does not store the reference) et_runtime. Empty when none of them is stored.
std::vector<std::string> counting_sources(const Case& test, const Sample& sample);

}  // namespace wick::tools
