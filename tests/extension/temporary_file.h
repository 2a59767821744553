// SPDX-License-Identifier: BSD-3-Clause
//
// A file for one test, removed afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents) {
    char path[] = "/tmp/wick_test_XXXXXX";
    const int descriptor = ::mkstemp(path);
    EXPECT_GE(descriptor, 0);
    EXPECT_EQ(::write(descriptor, contents.data(), contents.size()), static_cast<ssize_t>(contents.size()));
    ::close(descriptor);
    path_ = path;
  }
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};
