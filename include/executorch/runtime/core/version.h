// SPDX-License-Identifier: BSD-3-Clause
// The release of ExecuTorch whose C++ API these headers offer.
// It says which names exist; what wick itself is called and numbered is not said here.
//
//     #if ET_VERSION_CODE >= ET_VERSION_CHECK(1, 4, 0)

#pragma once

#define ET_VERSION_MAJOR 1
#define ET_VERSION_MINOR 5
#define ET_VERSION_PATCH 0
#define ET_VERSION "1.5.0"

/// A version as one number that can be compared.
#define ET_VERSION_CHECK(major, minor, patch) (((major) << 16) | ((minor) << 8) | (patch))
#define ET_VERSION_CODE ET_VERSION_CHECK(ET_VERSION_MAJOR, ET_VERSION_MINOR, ET_VERSION_PATCH)
