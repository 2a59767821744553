// SPDX-License-Identifier: BSD-3-Clause
// Asks the runtime's own registries; nothing is guessed from log texts.
#include "tools/verify/needs.h"

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <fmt/format.h>

#include <algorithm>

#include "tools/runner/bundle.h"
#include "tools/runner/data_files.h"

namespace wick::tools {
namespace {

void add_once(std::vector<std::string>& names, std::string name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.push_back(std::move(name));
  }
}

bool has_backend(const std::string& name) {
  const auto* backend = executorch::runtime::get_backend_class(name.c_str());
  return backend != nullptr && backend->is_available();
}

}  // namespace

std::vector<std::string> missing_needs(const Item& item) {
  std::vector<std::string> missing;
  if (!item.test) {
    return missing;
  }
  const Case& test = *item.test;
  if (!test.kind.empty() && !test.payload) {
    add_once(missing, fmt::format("cases of kind {}", test.kind));
  }
  if (item.form == Form::kBundle && !runner::bundles_supported()) {
    add_once(missing, "bundled programs");
  }
  if (!test.data_files.empty() && !runner::data_files_supported()) {
    add_once(missing, "data files (.ptd)");
  }
  for (const CaseMethod& method : test.methods) {
    for (const std::string& name : method.operators) {
      if (!executorch::runtime::registry_has_op_function(name.c_str())) {
        add_once(missing, name);
      }
    }
    for (const std::string& name : method.delegates) {
      if (!has_backend(name)) {
        add_once(missing, fmt::format("backend {}", name));
      }
    }
  }
  return missing;
}

}  // namespace wick::tools
