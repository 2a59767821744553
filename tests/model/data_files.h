// SPDX-License-Identifier: BSD-3-Clause
//
// The data files (.ptd) beside a stored program, merged into one map, for the tests of wick::Model and
// memory_required().
#pragma once

#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/runtime/executor/merged_data_map.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/model/case.h"

/// The data files that belong to a program, as one map.
class DataFiles {
 public:
  explicit DataFiles(const std::string& path) {
    const std::filesystem::path program(path);
    std::set<std::filesystem::path> files;
    const std::string stem = program.stem().string() + ".";
    for (const auto& entry : std::filesystem::directory_iterator(program.parent_path())) {
      if (entry.path().extension() == ".ptd" && entry.path().filename().string().rfind(stem, 0) == 0) {
        files.insert(entry.path());
      }
    }
    for (const std::filesystem::path& file : files) {
      images_.push_back(std::make_unique<Aligned>(read_file(file.string())));
      loaders_.push_back(
          std::make_unique<executorch::extension::BufferDataLoader>(images_.back()->data(), images_.back()->size()));
      auto map = executorch::extension::FlatTensorDataMap::load(loaders_.back().get());
      EXPECT_TRUE(map.ok()) << file;
      add(std::make_unique<executorch::extension::FlatTensorDataMap>(std::move(map.get())));
    }
  }
  const executorch::runtime::NamedDataMap* get() const { return maps_.empty() ? nullptr : maps_.back().get(); }

 private:
  void add(std::unique_ptr<executorch::runtime::NamedDataMap> map) {
    const executorch::runtime::NamedDataMap* const before = get();
    maps_.push_back(std::move(map));
    if (before != nullptr) {
      auto merged = executorch::runtime::internal::MergedDataMap::load(before, maps_.back().get());
      EXPECT_TRUE(merged.ok());
      maps_.push_back(std::make_unique<executorch::runtime::internal::MergedDataMap>(std::move(merged.get())));
    }
  }
  std::vector<std::unique_ptr<Aligned>> images_;
  std::vector<std::unique_ptr<executorch::extension::BufferDataLoader>> loaders_;
  std::vector<std::unique_ptr<executorch::runtime::NamedDataMap>> maps_;
};
