/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Base64, with the interface that ExecuTorch's runners take from flatcc: firmware without a file system prints an
 * ETDump as text. C and C++.
 *
 *   size_t text_size = base64_encoded_size(size, base64_enc_modifier_padding);
 *   base64_encode(text, data, &text_size, &size, base64_enc_modifier_padding);
 */
#ifndef PBASE64_H
#define PBASE64_H

#include <stddef.h>
#include <stdint.h>

#define BASE64_EOK 0    /* all done, up to the end or a character of another alphabet */
#define BASE64_EMORE 1  /* the destination is full, more can be decoded */
#define BASE64_EARGS 2  /* an argument is missing */
#define BASE64_EMODE 3  /* no such mode */
#define BASE64_ETAIL 4  /* a lone digit at the end */
#define BASE64_EDIRTY 5 /* the last digit has bits that belong to no byte */

/* An alphabet, and modifiers that are added to it. */
enum {
  base64_mode_rfc4648 = 0,            /* '+' and '/' */
  base64_mode_url = 1,                /* '-' and '_' */
  base64_dec_modifier_skipspace = 32, /* decoding skips blanks and line ends */
  base64_enc_modifier_padding = 128,  /* encoding fills up with '=' */
  base64_modifier_mask = 32 + 64 + 128
};

static inline const char* base64_strerror(int err) {
  switch (err) {
    case BASE64_EOK:
      return "no error";
    case BASE64_EMORE:
      return "the destination is full";
    case BASE64_EARGS:
      return "an argument is missing";
    case BASE64_EMODE:
      return "no such base64 mode";
    case BASE64_ETAIL:
      return "a lone base64 digit at the end";
    case BASE64_EDIRTY:
      return "stray bits in the last base64 digit";
    default:
      return "no base64 error";
  }
}

/* Characters for `len` bytes. */
static inline size_t base64_encoded_size(size_t len, int mode) {
  const size_t rest = len % 3;
  const size_t tail = rest == 0 ? 0 : (mode & base64_enc_modifier_padding) != 0 ? 4 : rest + 1;
  return len / 3 * 4 + tail;
}

/* The most bytes that `len` characters hold. */
static inline size_t base64_decoded_size(size_t len) { return len / 4 * 3 + (len % 4 > 1 ? len % 4 - 1 : 0); }

static inline uint8_t wick_base64_digit(unsigned value, int mode) {
  if (value < 52) {
    return (uint8_t)(value < 26 ? 'A' + value : 'a' + (value - 26));
  }
  if (value < 62) {
    return (uint8_t)('0' + (value - 52));
  }
  return (uint8_t)(mode == base64_mode_url ? "-_"[value - 62] : "+/"[value - 62]);
}

/* -1 if it is none. */
static inline int wick_base64_value(uint8_t digit, int mode) {
  if (digit >= 'A' && digit <= 'Z') {
    return digit - 'A';
  }
  if (digit >= 'a' && digit <= 'z') {
    return digit - 'a' + 26;
  }
  if (digit >= '0' && digit <= '9') {
    return digit - '0' + 52;
  }
  if (digit == wick_base64_digit(62, mode)) {
    return 62;
  }
  return digit == wick_base64_digit(63, mode) ? 63 : -1;
}

/* Encodes `*src_len` bytes into base64_encoded_size() characters, whose number goes to `dst_len` if that is not null.
 * No NUL is added. Errors: BASE64_EARGS (src_len is null), BASE64_EMODE. */
static inline int base64_encode(uint8_t* dst, const uint8_t* src, size_t* dst_len, size_t* src_len, int mode) {
  const int alphabet = mode & ~base64_modifier_mask;
  int error = BASE64_EOK;
  size_t count = 0;
  if (src_len == NULL) {
    error = BASE64_EARGS;
  } else if (alphabet != base64_mode_rfc4648 && alphabet != base64_mode_url) {
    error = BASE64_EMODE;
    *src_len = 0;
  } else {
    size_t i;
    for (i = 0; i < *src_len; i += 3) {
      const size_t left = *src_len - i;
      const unsigned bits =
          (unsigned)src[i] << 16 | (left > 1 ? (unsigned)src[i + 1] << 8 : 0) | (left > 2 ? (unsigned)src[i + 2] : 0);
      const size_t digits = left > 2 ? 4 : left + 1;
      size_t digit;
      for (digit = 0; digit < 4; ++digit) {
        if (digit < digits) {
          dst[count++] = wick_base64_digit(bits >> (18 - 6 * digit) & 63, alphabet);
        } else if ((mode & base64_enc_modifier_padding) != 0) {
          dst[count++] = '=';
        }
      }
    }
  }
  if (dst_len != NULL) {
    *dst_len = count;
  }
  return error;
}

/* Decodes up to a character that is no digit, or `*src_len` characters. `*dst_len`, if given and not 0, is the room in
 * `dst`. Both become what was read (whole groups of four, the tail with its padding) and written. */
static inline int base64_decode(uint8_t* dst, const uint8_t* src, size_t* dst_len, size_t* src_len, int mode) {
  const int alphabet = mode & ~base64_modifier_mask;
  const size_t length = src_len == NULL ? (size_t)-1 : *src_len;
  const size_t room = dst_len == NULL || *dst_len == 0 ? (size_t)-1 : *dst_len;
  size_t read = 0;
  size_t written = 0;
  int error = alphabet == base64_mode_rfc4648 || alphabet == base64_mode_url ? BASE64_EOK : BASE64_EMODE;
  while (error == BASE64_EOK && written < room) {
    unsigned bits = 0;
    size_t digits = 0;
    size_t at = read;
    for (; digits < 4 && at < length; ++at) {
      const int value = wick_base64_value(src[at], alphabet);
      if (value >= 0) {
        bits |= (unsigned)value << (18 - 6 * digits++);
      } else if ((mode & base64_dec_modifier_skipspace) == 0 ||
                 (src[at] != ' ' && src[at] != '\r' && src[at] != '\n')) {
        break;
      }
    }
    {
      const size_t bytes = digits == 0 ? 0 : digits - 1;
      size_t i;
      if (digits == 1) {
        error = BASE64_ETAIL;
      } else if ((bits & (0xFFFFFFU >> (8 * bytes))) != 0) {
        error = BASE64_EDIRTY;
      } else if (bytes > room - written) {
        error = BASE64_EMORE;
      } else {
        for (i = 0; i < bytes; ++i) {
          dst[written++] = (uint8_t)(bits >> (16 - 8 * i));
        }
        for (i = digits; i < 4 && at < length && src[at] == '='; ++i) {
          ++at;
        }
        read = at;
      }
    }
    if (digits < 4) {
      break;
    }
  }
  if (dst_len != NULL) {
    *dst_len = written;
  }
  if (src_len != NULL) {
    *src_len = read;
  }
  return error;
}

#endif
