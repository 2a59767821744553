// SPDX-License-Identifier: BSD-3-Clause
// Executes every case in a child process: records come back through one pipe, log and sanitizer reports through
// another.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <list>

#include "tools/runner/run_case.h"
#include "tools/verify/executor.h"
#include "tools/verify/host_port.h"

namespace wick::tools {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  void open() {
    int ends[2];
    if (pipe(ends) != 0) {
      throw ToolError(fmt::format("no pipe to a child process: {}", std::strerror(errno)));
    }
    read_end = ends[0];
    write_end = ends[1];
  }
};

struct Child {
  size_t position = 0;
  pid_t pid = 0;
  int records = -1;
  int log = -1;
  bool timed_out = false;
  Bytes record_bytes;
  Bytes log_bytes;
  Clock::time_point start;
};

/// Moves what is readable; false at the end of the stream.
bool drain(int file, Bytes& into) {
  uint8_t buffer[65536];
  const ssize_t got = read(file, buffer, sizeof(buffer));
  if (got > 0) {
    into.insert(into.end(), buffer, buffer + got);
  }
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

[[noreturn]] void be_the_child(const Bytes& job, int records, int log) {
  dup2(log, STDERR_FILENO);
  dup2(log, STDOUT_FILENO);
  {
    HostPort port(records);
    runner::run_case(runner::Reader(job.data(), job.size()), port);
  }
  _exit(0);
}

bool has_sanitizer_report(const std::string& log) {
  return log.find("Sanitizer") != std::string::npos || log.find("runtime error: ") != std::string::npos;
}

class HostExecutor final : public Executor {
 public:
  HostExecutor(unsigned jobs, double timeout) : jobs_(jobs == 0 ? 1 : jobs), timeout_(timeout) {}

  void run(const std::vector<Bytes>& cases, const OnFinished& finished) override {
    size_t next = 0;
    while (next < cases.size() || !children_.empty()) {
      while (next < cases.size() && children_.size() < jobs_) {
        start(next, cases[next]);
        ++next;
      }
      wait_for_output();
      end_the_late();
      collect(finished);
    }
  }

 private:
  void start(size_t position, const Bytes& job) {
    Pipe records;
    Pipe log;
    records.open();
    log.open();
    std::fflush(nullptr);
    Child child;
    child.position = position;
    child.start = Clock::now();
    child.pid = fork();
    if (child.pid < 0) {
      throw ToolError(fmt::format("no child process: {}", std::strerror(errno)));
    }
    if (child.pid == 0) {
      close(records.read_end);
      close(log.read_end);
      be_the_child(job, records.write_end, log.write_end);
    }
    close(records.write_end);
    close(log.write_end);
    // A later child inherits these ends otherwise, which is harmless, but costs descriptors.
    fcntl(records.read_end, F_SETFD, FD_CLOEXEC);
    fcntl(log.read_end, F_SETFD, FD_CLOEXEC);
    child.records = records.read_end;
    child.log = log.read_end;
    children_.push_back(std::move(child));
  }

  void wait_for_output() {
    std::vector<pollfd> files;
    for (const Child& child : children_) {
      for (const int file : {child.records, child.log}) {
        if (file >= 0) {
          files.push_back({file, POLLIN, 0});
        }
      }
    }
    poll(files.data(), files.size(), 50);
    for (const pollfd& file : files) {
      if (file.revents == 0) {
        continue;
      }
      for (Child& child : children_) {
        read_from(child.records, file.fd, child.record_bytes);
        read_from(child.log, file.fd, child.log_bytes);
      }
    }
  }

  static void read_from(int& file, int ready, Bytes& into) {
    if (file == ready && !drain(file, into)) {
      close(file);
      file = -1;
    }
  }

  void end_the_late() {
    for (Child& child : children_) {
      if (!child.timed_out && seconds_since(child.start) > timeout_) {
        child.timed_out = true;
        kill(child.pid, SIGKILL);
      }
    }
  }

  void collect(const OnFinished& finished) {
    for (auto child = children_.begin(); child != children_.end();) {
      if (child->records >= 0 || child->log >= 0) {
        ++child;
        continue;
      }
      int status = 0;
      waitpid(child->pid, &status, 0);
      finished(child->position, conclude(*child, status));
      child = children_.erase(child);
    }
  }

  Execution conclude(Child& child, int status) const {
    Execution execution;
    execution.log.assign(child.log_bytes.begin(), child.log_bytes.end());
    execution.seconds = seconds_since(child.start);
    execution.answer = std::move(parse_records(child.record_bytes, child.position + 1)[child.position]);
    if (child.timed_out) {
      execution.crash = fmt::format("no end after {} s", timeout_);
    } else if (has_sanitizer_report(execution.log)) {
      execution.crash = "sanitizer report";
    } else if (WIFSIGNALED(status)) {
      execution.crash = fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) != 0 || !execution.answer.ended) {
      execution.crash = fmt::format("the process ended with status {}", WEXITSTATUS(status));
    }
    execution.crashed = !execution.crash.empty();
    return execution;
  }

  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  size_t jobs_;
  double timeout_;
  std::list<Child> children_;
};

}  // namespace

std::unique_ptr<Executor> make_host_executor(unsigned jobs, double timeout) {
  return std::make_unique<HostExecutor>(jobs, timeout);
}

}  // namespace wick::tools
