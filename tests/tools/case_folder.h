// SPDX-License-Identifier: BSD-3-Clause
// A temporary folder of cases, and the smallest case there is.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/common/bytes.h"

namespace wick::tools {

class CaseFolder {
 public:
  CaseFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "wick-cases-XXXXXX").string();
    path_ = mkdtemp(name.data()) != nullptr ? name : std::string();
  }
  ~CaseFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  CaseFolder(const CaseFolder&) = delete;
  CaseFolder& operator=(const CaseFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Writes NAME.json, and case.pte and case.bin of 16 zero bytes each.
  void write_case(const std::string& name, const nlohmann::json& root) const {
    write_file(path_ / "case.pte", std::string(16, '\0'));
    write_file(path_ / "case.bin", std::string(16, '\0'));
    write_file(path_ / (name + ".json"), root.dump());
  }

 private:
  std::filesystem::path path_;
};

/// One method `forward` with one sample: a float [1, 2, 1, 1] in, the same out.
inline nlohmann::json minimal_case() {
  return nlohmann::json::parse(R"({
    "format": 1, "stem": "case", "tolerance": {"atol": 1e-5, "rtol": 1e-5}, "reference": "eager",
    "pte": {"file": "case.pte", "size": 16}, "bin": {"file": "case.bin", "size": 16},
    "methods": [{"name": "forward", "operators": [], "delegates": [], "non_const_buffer_sizes": [0, 32], "samples": [{
      "inputs": [{"kind": "tensor", "dtype": "float32", "sizes": [1, 2, 1, 1], "dim_order": [0, 1, 2, 3],
                  "offset": 0, "nbytes": 8}],
      "expected": {"eager": [{"kind": "tensor", "dtype": "float32", "sizes": [1, 2, 1, 1], "dim_order": [0, 1, 2, 3],
                              "offset": 8, "nbytes": 8}]}}]}]})");
}

}  // namespace wick::tools
