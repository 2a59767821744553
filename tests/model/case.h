// SPDX-License-Identifier: BSD-3-Clause
//
// A stored model with its samples, for the tests of wick::Model: expected values are those of the official runtime, as
// the case's json says.
#pragma once

#include <gtest/gtest.h>
#include <wick/model.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

inline std::vector<uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Bytes at a multiple of 16.
class Aligned {
 public:
  explicit Aligned(size_t size) : blocks_(size / sizeof(Block) + 1), size_(size) {}
  explicit Aligned(const std::vector<uint8_t>& bytes) : Aligned(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), data());
  }
  uint8_t* data() { return reinterpret_cast<uint8_t*>(blocks_.data()); }
  size_t size() const { return size_; }
  executorch::runtime::Span<uint8_t> span() { return {data(), size_}; }

 private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  std::vector<Block> blocks_;
  size_t size_;
};

class Case {
 public:
  explicit Case(const std::string& stem)
      : image(read_file(std::string(WICK_CASES "/") + stem + ".pte")),
        json_(nlohmann::json::parse(std::ifstream(std::string(WICK_CASES "/") + stem + ".json"))),
        bin_(read_file(std::string(WICK_CASES "/") + stem + ".bin")) {}

  size_t samples() const { return json_["methods"][0]["samples"].size(); }
  /// Copies the sample's inputs into the model.
  void fill(wick::Model& model, size_t sample) const {
    size_t index = 0;
    for (const auto& input : json_["methods"][0]["samples"][sample]["inputs"]) {
      void* const data = model.input_data(index);
      ASSERT_NE(data, nullptr) << model.message();
      std::memcpy(data, bytes(input), input["nbytes"]);
      ++index;
    }
  }
  std::vector<float> input(size_t sample, size_t index) const {
    return floats(json_["methods"][0]["samples"][sample]["inputs"][index]);
  }
  std::vector<float> want(size_t sample, size_t index = 0) const {
    const std::string reference = json_["reference"];
    return floats(json_["methods"][0]["samples"][sample]["expected"][reference][index]);
  }
  void check(wick::Model& model, size_t sample, size_t index = 0) const {
    check(model.output<float>(index), sample, index);
  }
  void check(executorch::runtime::Span<const float> got, size_t sample, size_t index = 0) const {
    const std::vector<float> expected = want(sample, index);
    const double atol = json_["tolerance"]["atol"];
    const double rtol = json_["tolerance"]["rtol"];
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(got[i], expected[i], atol + rtol * std::fabs(expected[i]))
          << "sample " << sample << ", element " << i;
    }
  }

  mutable Aligned image;

 private:
  const uint8_t* bytes(const nlohmann::json& tensor) const { return bin_.data() + tensor["offset"].get<size_t>(); }
  std::vector<float> floats(const nlohmann::json& tensor) const {
    std::vector<float> values(tensor["nbytes"].get<size_t>() / sizeof(float));
    std::memcpy(values.data(), bytes(tensor), values.size() * sizeof(float));
    return values;
  }

  nlohmann::json json_;
  std::vector<uint8_t> bin_;
};
