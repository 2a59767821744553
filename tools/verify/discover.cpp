// SPDX-License-Identifier: BSD-3-Clause
// Walks folders for cases and manifests; a folder with a manifest.json is a set of malformed files.
#include "tools/verify/discover.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Finder {
 public:
  explicit Finder(const std::string& filter) : has_filter_(!filter.empty()) {
    try {
      filter_ = std::regex(filter, std::regex::ECMAScript);
    } catch (const std::regex_error& error) {
      throw ToolError(fmt::format("--filter '{}' is not an ECMAScript regular expression: {}", filter, error.what()));
    }
  }

  void add_path(const std::string& given) {
    const fs::path path(given);
    if (!fs::exists(path)) {
      throw ToolError(fmt::format("{}: there is no such file or folder", given));
    }
    if (fs::is_directory(path)) {
      add_folder(path);
    } else {
      base_ = path.parent_path();
      add_file(path);
    }
  }

  std::vector<Item> take() { return std::move(items_); }

 private:
  void add_folder(const fs::path& folder) {
    base_ = folder;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.path().extension() == ".json") {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      if (file.filename() == "manifest.json") {
        add_manifest(file);
      } else if (file.filename() != "index.json") {
        add_json(file, true, true);
      }
    }
  }

  /// A single file: the JSON itself (with its bundle), or the program or bundle that a JSON beside it describes.
  void add_file(const fs::path& path) {
    if (path.filename() == "manifest.json") {
      add_manifest(path);
    } else if (path.extension() == ".json") {
      add_json(path, true, true);
    } else {
      fs::path beside = path;
      beside.replace_extension(".json");
      const bool bundle = path.extension() == ".bpte";
      if (!fs::exists(beside) || (!bundle && path.extension() != ".pte")) {
        throw ToolError(
            fmt::format("{}: not a case: there is no {} that describes it", path.string(), beside.filename().string()));
      }
      add_json(beside, !bundle, bundle);
    }
  }

  void add_json(const fs::path& path, bool program, bool bundle) {
    Item item;
    item.path = path;
    item.name = relative(path);
    json root;
    try {
      const Bytes bytes = read_file(path);
      root = json::parse(bytes.begin(), bytes.end());
      if (!is_case(root)) {
        return;
      }
      item.test = parse_case(path, root);
    } catch (const ToolError& error) {
      item.malformed = error.what();
    } catch (const json::exception& error) {
      item.malformed = fmt::format("malformed case: not JSON: {}", error.what());
    }
    if (item.test && bundle && !item.test->bundle.empty()) {
      Item bundled = item;
      bundled.form = Form::kBundle;
      bundled.path = item.test->bundle;
      bundled.name = relative(bundled.path);
      keep(std::move(bundled));
    }
    if (program) {
      keep(std::move(item));
    }
  }

  void add_manifest(const fs::path& path) {
    try {
      const Bytes bytes = read_file(path);
      const json root = json::parse(bytes.begin(), bytes.end());
      for (const json& entry : root.at("files")) {
        Item item;
        item.form = Form::kSweep;
        item.path = path.parent_path() / entry.at("file").get<std::string>();
        item.name = relative(item.path);
        if (!fs::exists(item.path)) {
          item.malformed = "named by manifest.json, but there is no such file";
        }
        keep(std::move(item));
      }
    } catch (const json::exception& error) {
      throw ToolError(fmt::format("{}: not a manifest: {}", path.string(), error.what()));
    }
  }

  std::string relative(const fs::path& path) const { return path.lexically_relative(base_).generic_string(); }

  void keep(Item item) {
    if (!has_filter_ || std::regex_search(item.name, filter_)) {
      items_.push_back(std::move(item));
    }
  }

  bool has_filter_;
  std::regex filter_;
  fs::path base_;
  std::vector<Item> items_;
};

}  // namespace

std::vector<Item> discover(const std::vector<std::string>& paths, const std::string& filter) {
  Finder finder(filter);
  for (const std::string& path : paths) {
    finder.add_path(path);
  }
  return finder.take();
}

}  // namespace wick::tools
