// SPDX-License-Identifier: BSD-3-Clause
// Cases on a board: one that faults or hangs costs itself alone, one that is slow but goes on costs nothing. A script
// stands in for the emulator; as the real one it writes to the beginning of the result file without emptying it.
#include "tools/verify/board_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/tools/case_folder.h"

namespace wick::tools {
namespace {

// Called as the emulator is, with the number of the first case as the last arg= of its semihosting configuration. What
// each case does is a word of the file `behaviours` beside the script.
constexpr const char* kEmulator = R"sh(#!/bin/sh
while [ "$1" != -semihosting-config ]; do shift; done
config=$2
first=${config##*arg=}
config=${config%,arg=*}
record() { printf "$1" >&3; }
begin() { record "\\001\\0\\0\\0\\004\\0\\0\\0\\00$1\\0\\0\\0"; }
end() { record "\\006\\0\\0\\0\\020\\0\\0\\0\\00$1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0"; }
exec 3<>"${config##*arg=}"
number=0
for behaviour in $(cat "$(dirname "$0")/behaviours"); do
  if [ $number -ge $first ]; then
    begin $number
    case $behaviour in
      faults) echo "HardFault in case $number"; exit 3 ;;
      waits) exec sleep 60 ;;
      hangs) while :; do :; done ;;
      slow) for i in 1 2 3 4 5 6 7; do sleep 0.4; record "\\007\\0\\0\\0\\0\\0\\0\\0"; done ;;
    esac
    end $number
  fi
  number=$((number + 1))
done
)sh";

class BoardExecutorTest : public testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_.path() / "qemu-system-arm", kEmulator);
    std::filesystem::permissions(folder_.path() / "qemu-system-arm", std::filesystem::perms::owner_all);
    path_ = std::getenv("PATH");
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  void TearDown() override { setenv("PATH", path_.c_str(), 1); }

  /// Executes as many cases as there are words; a case hangs that makes no progress for 0.4 s of processor time, or for
  /// 2.4 s.
  std::vector<Execution> run(const std::string& behaviours, size_t count) {
    write_file(folder_.path() / "behaviours", behaviours);
    std::vector<Execution> executions(count);
    const auto executor = make_board_executor(find_board("an547"), "firmware.elf", 1, 0.4);
    executor->run(std::vector<Bytes>(count), [&](size_t position, Execution&& execution) {
      executions[position] = std::move(execution);
      ++reports_;
    });
    return executions;
  }

  CaseFolder folder_;
  std::string path_;
  size_t reports_ = 0;
};

TEST_F(BoardExecutorTest, CasesThatEndAreAnswered) {
  for (const Execution& execution : run("ends ends", 2)) {
    EXPECT_FALSE(execution.crashed) << execution.crash;
    EXPECT_TRUE(execution.answer.begun);
    EXPECT_TRUE(execution.answer.ended);
  }
  EXPECT_EQ(reports_, 2U);
}

TEST_F(BoardExecutorTest, CasesBehindOneThatFaultsOrHangsAreRun) {
  const std::vector<Execution> executions = run("ends ends faults ends hangs waits ends", 7);
  EXPECT_EQ(reports_, 7U);
  for (const size_t good : {0, 1, 3, 6}) {
    EXPECT_FALSE(executions[good].crashed) << good << ": " << executions[good].crash;
    EXPECT_TRUE(executions[good].answer.ended) << good;
  }
  EXPECT_TRUE(executions[2].crashed);
  EXPECT_EQ(executions[2].crash, "the emulator ended with status 3");
  for (const size_t stuck : {4, 5}) {
    EXPECT_EQ(executions[stuck].crash, "no progress for 0.4 s");
    EXPECT_TRUE(executions[stuck].answer.begun);
    EXPECT_FALSE(executions[stuck].answer.ended);
  }
}

TEST_F(BoardExecutorTest, WhatAFaultPrintedIsKept) {
  const std::vector<Execution> executions = run("faults ends", 2);
  EXPECT_THAT(executions[0].log, testing::HasSubstr("HardFault in case 0"));
  EXPECT_EQ(executions[1].log, "");
}

TEST_F(BoardExecutorTest, ALongCaseThatReportsProgressDoesNotHang) {
  const std::vector<Execution> executions = run("slow ends", 2);
  for (const Execution& execution : executions) {
    EXPECT_FALSE(execution.crashed) << execution.crash;
    EXPECT_TRUE(execution.answer.ended);
  }
  EXPECT_GT(executions[0].seconds, 2.4);
}

TEST_F(BoardExecutorTest, FirmwareThatDoesNotStartFailsAllCasesAtOnce) {
  write_file(folder_.path() / "qemu-system-arm", "#!/bin/sh\necho no such machine\nexit 1\n");
  for (const Execution& execution : run("", 3)) {
    EXPECT_EQ(execution.crash, "the emulator ended with status 1");
    EXPECT_THAT(execution.log, testing::HasSubstr("no such machine"));
  }
  EXPECT_EQ(reports_, 3U);
}

}  // namespace
}  // namespace wick::tools
