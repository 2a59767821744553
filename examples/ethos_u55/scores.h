// SPDX-License-Identifier: BSD-3-Clause
//
// The 12 scores of each recorded input (examples/xip_kws/samples.h) when the NPU's parts of models/kws.ethosu55.pte are
// computed by tosa_reference_model instead.
#pragma once

constexpr int kSampleCount = 3;
constexpr int kClasses = 12;

constexpr float kScores[kSampleCount][kClasses] = {
    {0.0F, 0.0245952159F, 0.0948672593F, 0.0F, 0.0F, 0.0F, 0.439200282F, 0.0210816134F, 0.386496246F, 0.0F, 0.0F,
     0.0245952159F},
    {0.0F, 0.621907592F, 0.00351360231F, 0.0F, 0.0F, 0.0F, 0.147571295F, 0.137030497F, 0.0772992522F, 0.0F, 0.0F,
     0.0140544092F},
    {0.0F, 0.0F, 0.411091477F, 0.0F, 0.0F, 0.0F, 0.411091477F, 0.0913536623F, 0.0245952159F, 0.0F, 0.0F, 0.0597312376F},
};
