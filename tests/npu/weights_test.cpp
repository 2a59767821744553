// SPDX-License-Identifier: BSD-3-Clause
// The weight decoder and the order of weights, against vectors of Vela's encoder.
#include "npu/weights.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "case.h"

namespace wick::npu::test {
namespace {

using nlohmann::json;

struct Vectors {
  json cases;
  std::vector<std::uint8_t> bin;
  std::vector<std::int16_t> words(const json& tensor) const {
    std::vector<std::int16_t> out(tensor.at("nbytes").get<std::size_t>() / 2);
    std::copy_n(bin.begin() + tensor.at("offset").get<std::ptrdiff_t>(), out.size() * 2,
                reinterpret_cast<std::uint8_t*>(out.data()));
    return out;
  }
  Bytes bytes(const json& tensor) const {
    return {bin.data() + tensor.at("offset").get<std::size_t>(), tensor.at("nbytes").get<std::size_t>()};
  }
};

std::vector<Vectors> all_vectors() {
  std::vector<Vectors> all;
  for (const std::string& folder : {data_folder(), corpus_folder()}) {
    if (folder.empty() || !std::filesystem::exists(folder + "/mlw/mlw.json")) continue;
    const std::vector<std::uint8_t> text = read_file(folder + "/mlw/mlw.json");
    all.push_back({json::parse(text.begin(), text.end()).at("cases"), read_file(folder + "/mlw/mlw.bin")});
  }
  return all;
}

TEST(Mlw, DecodesWhatVelaEncodedInAnyPortions) {
  for (const Vectors& vectors : all_vectors()) {
    for (const json& c : vectors.cases) {
      SCOPED_TRACE(c.at("case").get<std::string>());
      const std::vector<std::int16_t> want = vectors.words(c.at("decoded"));
      for (const std::size_t portion : {std::size_t{1}, std::size_t{7}, std::size_t{64}, want.size()}) {
        MlwReader reader;
        reader.start(vectors.bytes(c.at("stream")));
        std::vector<std::int16_t> got(want.size());
        for (std::size_t at = 0; at < want.size(); at += portion) {
          ASSERT_TRUE(reader.read(got.data() + at, std::min(portion, want.size() - at)));
        }
        ASSERT_EQ(want, got);
      }
    }
  }
}

TEST(Mlw, EndsWithAFaultWhenCutOff) {
  for (const Vectors& vectors : all_vectors()) {
    for (const json& c : vectors.cases) {
      const std::vector<std::int16_t> want = vectors.words(c.at("decoded"));
      const Bytes stream = vectors.bytes(c.at("stream"));
      if (stream.size < 64) continue;
      MlwReader reader;
      reader.start({stream.data, stream.size / 2});
      std::vector<std::int16_t> got(want.size());
      EXPECT_FALSE(reader.read(got.data(), got.size())) << c.at("case");
    }
  }
}

// The walker undoes the order in which the encoder lays weights out.
TEST(WeightOrder, RecoversTheFilter) {
  int cases = 0;
  for (const Vectors& vectors : all_vectors()) {
    for (const json& c : vectors.cases) {
      if (c.at("api") != "reorder_encode") continue;
      SCOPED_TRACE(c.at("case").get<std::string>());
      const json& ohwi = c.contains("ohwi") ? c.at("ohwi") : c.at("weights").at("sizes");
      Operation operation;
      const bool depthwise = c.at("traversal") == "depthwise";
      operation.kind = depthwise ? Kind::kDepthwise : Kind::kConv;
      operation.kernel.height = ohwi[1];
      operation.kernel.width = ohwi[2];
      operation.kernel.dilation_y = c.at("dilation_yx")[0];
      operation.kernel.dilation_x = c.at("dilation_yx")[1];
      operation.kernel.part_kernel_first = c.at("traversal") == "part_kernel_first";
      operation.ofm_shape.depth = ohwi[0];
      operation.ifm_shape.depth = ohwi[3];
      operation.ifm.map.bytes = c.at("ifm_bits") == 16 ? 2 : 1;
      operation.block.depth = c.at("ofm_block_depth");
      operation.microblock_depth = c.at("ofm_ublock_depth");
      operation.ifm_block_depth = operation.kernel.part_kernel_first || operation.ifm.map.bytes == 2 ? 16 : 32;
      operation.weights[0] = vectors.bytes(c.at("stream"));
      std::vector<std::uint8_t> workspace(65536);
      Context context(Config(), {workspace.data(), workspace.size()}, Options());
      WeightWalker* walker = WeightWalker::make(context, operation);
      ASSERT_NE(walker, nullptr);
      const std::int32_t o = ohwi[0], taps = operation.kernel.height * operation.kernel.width, in = ohwi[3];
      std::vector<std::int16_t> got(static_cast<std::size_t>(o * taps * in));
      for (std::int32_t block = 0; block < o; block += operation.block.depth) {
        const std::int32_t count = std::min(operation.block.depth, o - block);
        const WeightSink sink = {got.data() + block * taps * in, block, count, taps * in, in};
        ASSERT_TRUE(walker->block(block, count, sink));
      }
      EXPECT_EQ(got, vectors.words(c.at("weights")));
      ++cases;
    }
  }
  EXPECT_GT(cases, 0);
}

}  // namespace
}  // namespace wick::npu::test
