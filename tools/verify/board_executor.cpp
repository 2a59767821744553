// SPDX-License-Identifier: BSD-3-Clause
// One QEMU process per share of the cases: the job goes in as a file, records are read from a file as they grow, the
// console is the log.
#include "tools/verify/board_executor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <list>

#include "tools/common/temporary_folder.h"

namespace wick::tools {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using runner::RecordKind;

/// An emulator that waits, or gets little of a busy machine, may take this many times as long by the wall clock.
constexpr double kPatience = 6;

/// Processor time of a child; 0 when it cannot be told.
double processor_seconds(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
    return 0;
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Appends what a file holds beyond what was read of it; returns the number of new bytes.
size_t read_more(int file, Bytes& into) {
  uint8_t buffer[65536];
  size_t total = 0;
  for (ssize_t got = read(file, buffer, sizeof(buffer)); got > 0; got = read(file, buffer, sizeof(buffer))) {
    into.insert(into.end(), buffer, buffer + got);
    total += static_cast<size_t>(got);
  }
  return total;
}

/// One emulator with its share of the cases.
class Share {
 public:
  Share(const Board& board, std::string firmware, double timeout, const fs::path& folder, size_t number)
      : board_(board),
        firmware_(std::move(firmware)),
        timeout_(timeout),
        job_path_((folder / fmt::format("job{}", number)).string()),
        result_path_((folder / fmt::format("results{}", number)).string()) {}

  ~Share() {
    stop();
    for (const int file : {results_, console_}) {
      if (file >= 0) {
        close(file);
      }
    }
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  void add(size_t position, const Bytes& job) {
    positions_.push_back(position);
    jobs_.push_back(job);
  }

  void start() {
    const Bytes job = join_job(jobs_);
    write_file(job_path_, std::string_view(reinterpret_cast<const char*>(job.data()), job.size()));
    boot();
  }

  /// Reads what has come; reports the cases that are finished. False when the share is done.
  bool advance(const OnFinished& finished) {
    const bool ended = has_ended();
    read_console();
    if (read_more(results_, stream_) > 0) {
      note_progress();
    }
    take_records(finished);
    if (done_ == positions_.size()) {
      stop();
      return false;
    }
    if (ended) {
      give_up_case(fmt::format("the emulator ended with status {}", exit_status_), finished);
    } else if (is_stuck()) {
      stop();
      give_up_case(fmt::format("no progress for {} s", timeout_), finished);
    }
    return done_ < positions_.size();
  }

 private:
  /// Starts the firmware with the first case that is not done. Each boot has an empty result file: the emulator writes
  /// from its beginning, whatever the mode.
  void boot() {
    for (const int file : {console_, results_}) {
      if (file >= 0) {
        close(file);
      }
    }
    write_file(result_path_, "");
    results_ = open(result_path_.c_str(), O_RDONLY | O_CLOEXEC);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw ToolError(fmt::format("no pipe to the emulator: {}", std::strerror(errno)));
    }
    const std::string config =
        fmt::format("enable=on,target=native,arg=runner,arg={},arg={},arg={}", job_path_, result_path_, done_);
    const char* const arguments[] = {
        "qemu-system-arm", "-M",    board_.qemu.c_str(),   "-display",     "none",    "-monitor",        "none",
        "-serial",         "stdio", "-semihosting-config", config.c_str(), "-kernel", firmware_.c_str(), nullptr};
    pid_ = fork();
    if (pid_ == 0) {
      const int nothing = open("/dev/null", O_RDONLY);
      dup2(nothing, STDIN_FILENO);
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      execvp(arguments[0], const_cast<char* const*>(arguments));
      _exit(127);
    }
    close(ends[1]);
    console_ = ends[0];
    fcntl(console_, F_SETFL, O_NONBLOCK);
    note_progress();
    in_case_ = false;
  }

  void note_progress() {
    last_progress_ = Clock::now();
    processor_then_ = processor_seconds(pid_);
  }

  bool is_stuck() const {
    return processor_seconds(pid_) - processor_then_ > timeout_ || seconds_since(last_progress_) > kPatience * timeout_;
  }

  bool has_ended() {
    int status = 0;
    if (pid_ <= 0 || waitpid(pid_, &status, WNOHANG) != pid_) {
      return pid_ <= 0;
    }
    pid_ = 0;
    exit_status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return true;
  }

  void stop() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
      pid_ = 0;
    }
  }

  void read_console() {
    Bytes text;
    read_more(console_, text);
    log_.append(text.begin(), text.end());
  }

  /// Takes whole records off the stream; a case is reported at its end.
  void take_records(const OnFinished& finished) {
    size_t at = 0;
    while (stream_.size() - at >= 8) {
      runner::Reader head(stream_.data() + at, stream_.size() - at);
      const auto kind = static_cast<RecordKind>(head.u32());
      const size_t bytes = 8 + static_cast<size_t>(head.u32());
      if (stream_.size() - at < bytes) {
        break;
      }
      if (kind == RecordKind::kCaseBegin) {
        case_records_.clear();
        case_start_ = Clock::now();
        in_case_ = true;
      }
      case_records_.insert(case_records_.end(), stream_.begin() + static_cast<std::ptrdiff_t>(at),
                           stream_.begin() + static_cast<std::ptrdiff_t>(at + bytes));
      at += bytes;
      if (kind == RecordKind::kCaseEnd && in_case_) {
        finish("", finished);
      }
    }
    stream_.erase(stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void finish(const std::string& crash, const OnFinished& finished) {
    read_console();
    const size_t position = positions_[done_];
    Execution execution;
    execution.answer = std::move(parse_records(case_records_, position + 1)[position]);
    execution.crash = crash;
    execution.crashed = !crash.empty();
    execution.log = std::move(log_);
    execution.seconds = seconds_since(case_start_);
    log_.clear();
    case_records_.clear();
    in_case_ = false;
    ++done_;
    finished(position, std::move(execution));
  }

  /// The current case ended the emulation. Goes on behind it; without a current case the firmware itself is at fault,
  /// and nothing more can be run.
  void give_up_case(const std::string& how, const OnFinished& finished) {
    read_console();
    stream_.clear();
    const bool in_case = in_case_;
    const std::string log = log_;
    do {
      log_ = log;
      case_start_ = in_case ? case_start_ : Clock::now();
      finish(how, finished);
    } while (!in_case && done_ < positions_.size());
    if (done_ < positions_.size()) {
      boot();
    }
  }

  const Board& board_;
  std::string firmware_;
  double timeout_;
  std::string job_path_;
  std::string result_path_;
  std::vector<size_t> positions_;
  std::vector<Bytes> jobs_;
  size_t done_ = 0;
  pid_t pid_ = 0;
  int exit_status_ = 0;
  int results_ = -1;
  int console_ = -1;
  bool in_case_ = false;
  Bytes stream_;
  Bytes case_records_;
  std::string log_;
  Clock::time_point last_progress_;
  double processor_then_ = 0;
  Clock::time_point case_start_;
};

class BoardExecutor final : public Executor {
 public:
  BoardExecutor(const Board& board, std::string firmware, unsigned jobs, double timeout)
      : board_(board), firmware_(std::move(firmware)), jobs_(jobs == 0 ? 1 : jobs), timeout_(timeout) {}

  void run(const std::vector<Bytes>& cases, const OnFinished& finished) override {
    const TemporaryFolder folder;
    std::list<Share> shares;
    const size_t count = std::min<size_t>(jobs_, cases.size());
    for (size_t i = 0; i < count; ++i) {
      Share& share = shares.emplace_back(board_, firmware_, timeout_, folder.path(), i);
      for (size_t position = i; position < cases.size(); position += count) {
        share.add(position, cases[position]);
      }
      share.start();
    }
    while (!shares.empty()) {
      shares.remove_if([&](Share& share) { return !share.advance(finished); });
      usleep(5000);
    }
  }

 private:
  const Board& board_;
  std::string firmware_;
  size_t jobs_;
  double timeout_;
};

}  // namespace

std::unique_ptr<Executor> make_board_executor(const Board& board, const std::string& firmware, unsigned jobs,
                                              double timeout) {
  return std::make_unique<BoardExecutor>(board, firmware, jobs, timeout);
}

std::string find_runner(const Board& board, const std::string& given) {
  if (board.qemu.empty()) {
    throw ToolError(
        fmt::format("QEMU does not have the board {}; --on wants one that it emulates, as an547", board.name));
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const std::string name = fmt::format("wick_runner_{}.elf", board.name);
  const fs::path path = given.empty() ? program.parent_path() / "runner" / name : fs::path(given);
  const fs::path root = WICK_SOURCE_FOLDER;
  const std::string command = fmt::format("make -C '{}' runners BOARDS={}", root.string(), board.name);
  if (!fs::exists(path) && given.empty() && program.parent_path() == root / "build/host") {
    fmt::print(stderr, "wick: building the runner firmware for {}, once: {}\n", board.name, command);
    if (std::system(command.c_str()) != 0) {
      throw ToolError(fmt::format("{} failed", command));
    }
  }
  if (!fs::exists(path)) {
    throw ToolError(fmt::format("{}: there is no runner firmware for {}; build it ({}) and name it by --runner {}",
                                path.string(), board.name, command, (root / "build/host/runner" / name).string()));
  }
  return path.string();
}

}  // namespace wick::tools
