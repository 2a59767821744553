// SPDX-License-Identifier: BSD-3-Clause
// Turns ET_LOG and failed checks into messages for the platform.

#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/platform.h>

#include <wick/format.h>

namespace executorch::runtime::internal {

et_timestamp_t get_log_timestamp() { return pal_current_ticks(); }

#if ET_LOG_ENABLED

namespace {

constexpr size_t kMaxMessageSize = 256;

et_pal_log_level_t pal_level(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return kDebug;
    case LogLevel::Info:
      return kInfo;
    case LogLevel::Error:
      return kError;
    case LogLevel::Fatal:
      return kFatal;
    default:
      return kUnknown;
  }
}

/// The length of `text` without a UTF-8 sequence that was cut at its end.
size_t without_cut_character(const char* text, size_t length) {
  size_t lead = length;
  while (lead > 0 && (static_cast<unsigned char>(text[lead - 1]) & 0xC0) == 0x80) --lead;
  if (lead == 0) return 0;
  const unsigned char byte = static_cast<unsigned char>(text[--lead]);
  const size_t needed = byte < 0x80 ? 1 : (byte & 0xE0) == 0xC0 ? 2 : (byte & 0xF0) == 0xE0 ? 3 : 4;
  return length - lead == needed ? length : lead;
}

struct Message {
  char text[kMaxMessageSize];
  size_t length = 0;
  bool full = false;

  ET_PRINTFLIKE(2, 0)
  void append(const char* format, va_list args) {
    if (full) return;
    length += wick::format_va(text + length, sizeof(text) - length, format, args);
    full = length >= sizeof(text);
    if (!full) return;
    length = without_cut_character(text, sizeof(text) - 1);
    text[length] = '\0';
  }

  ET_PRINTFLIKE(2, 3)
  void append(const char* format, ...) {
    va_list args;
    va_start(args, format);
    append(format, args);
    va_end(args);
  }

  void append_failed_check(const char* function) { append("In function %s(), assert failed", function); }
};

}  // namespace

void vlogf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function, size_t line,
           const char* format, va_list args) {
  Message message;
  message.append(format, args);
  pal_emit_log_message(timestamp, pal_level(level), filename, function, line, message.text, message.length);
}

void logf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function, size_t line,
          const char* format, ...) {
  va_list args;
  va_start(args, format);
  vlogf(level, timestamp, filename, function, line, format, args);
  va_end(args);
}

void log_now(LogLevel level, const char* filename, const char* function, size_t line, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vlogf(level, get_log_timestamp(), filename, function, line, format, args);
  va_end(args);
}

void log_failed_check(const char* filename, const char* function, size_t line, const char* condition,
                      const char* format, ...) {
  Message message;
  message.append_failed_check(function);
  if (condition != nullptr) message.append(" (%s): ", condition);
  va_list args;
  va_start(args, format);
  message.append(format, args);
  va_end(args);
  pal_emit_log_message(get_log_timestamp(), kFatal, filename, function, line, message.text, message.length);
}

void log_failed_check(const char* filename, const char* function, size_t line, const char* condition) {
  Message message;
  message.append_failed_check(function);
  message.append(": %s", condition);
  pal_emit_log_message(get_log_timestamp(), kFatal, filename, function, line, message.text, message.length);
}

#else  // ET_LOG_ENABLED

// For callers that were compiled with logging on: they link and stay silent.
void vlogf(LogLevel, et_timestamp_t, const char*, const char*, size_t, const char*, va_list) {}
void logf(LogLevel, et_timestamp_t, const char*, const char*, size_t, const char*, ...) {}
void log_now(LogLevel, const char*, const char*, size_t, const char*, ...) {}
void log_failed_check(const char*, const char*, size_t, const char*, const char*, ...) {}
void log_failed_check(const char*, const char*, size_t, const char*) {}

#endif  // ET_LOG_ENABLED

}  // namespace executorch::runtime::internal
