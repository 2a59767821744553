// SPDX-License-Identifier: BSD-3-Clause
// A stored delegate case as the driver gets it: payload, scratch with the inputs, and the outputs of the TOSA reference
// model to compare with.
#pragma once

#include <gtest/gtest.h>

#include "npu/payload.h"
#include "tests/ethos_u/payload_builder.h"
#include "tests/npu/case.h"

namespace wick::ethos_u {

class Job {
 public:
  /// `name`: below tests/data/ethos_u, such as "u55-128/add.d0".
  explicit Job(const std::string& name)
      : case_(npu::test::load_case(npu::test::data_folder() + "/" + name + ".json")),
        payload_(case_.payload),
        scratch_(scratch_bytes()),
        fast_(std::vector<uint8_t>(static_cast<size_t>(case_.fast_scratch_size))) {}

  /// The inference of a sample: junk in the scratch but for the inputs.
  Inference inference(size_t sample) {
    std::memset(scratch_.data(), 0xA5, scratch_.view().size);
    place(parsed_.input_records, case_.samples.at(sample).inputs, true);
    const npu::Bytes command = parsed_.command_data;
    const npu::Bytes weights = parsed_.weight_data;
    const size_t fast = fast_.view().size;
    return {{command.data, command.size}, {weights.data, weights.size},       scratch_.data(),
            scratch_.view().size,         fast == 0 ? nullptr : fast_.data(), fast};
  }

  /// Whether the scratch holds the sample's outputs now.
  bool has_reference(size_t sample) { return place(parsed_.output_records, case_.samples.at(sample).expected, false); }

 private:
  std::vector<uint8_t> scratch_bytes() {
    const View bytes = payload_.view();
    EXPECT_EQ(npu::parse_payload({bytes.data, bytes.size}, parsed_), nullptr);
    return std::vector<uint8_t>(parsed_.scratch_size);
  }

  bool place(npu::Bytes records, const std::vector<npu::test::TensorBytes>& tensors, bool copy) {
    bool same = true;
    for (uint32_t i = 0; i < tensors.size(); ++i) {
      npu::Binding binding;
      EXPECT_EQ(npu::parse_binding(records, i, binding), nullptr);
      uint8_t* at = scratch_.data() + binding.offset;
      const auto& bytes = tensors[i].bytes;
      if (copy) std::memcpy(at, bytes.data(), bytes.size());
      same = same && std::memcmp(at, bytes.data(), bytes.size()) == 0;
    }
    return same;
  }

  npu::test::Case case_;
  Aligned payload_;
  npu::Payload parsed_;
  Aligned scratch_;
  Aligned fast_;
};

}  // namespace wick::ethos_u
