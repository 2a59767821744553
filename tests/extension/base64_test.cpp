// SPDX-License-Identifier: BSD-3-Clause
//
// Base64 by the interface of flatcc. The pairs are the test vectors of RFC 4648, section 10.
#include <executorch/third-party/flatcc/include/flatcc/portable/pbase64.h>
#include <gtest/gtest.h>

#include <string>

namespace {

std::string encode(std::string data, int mode) {
  std::string text(base64_encoded_size(data.size(), mode) + 1, '#');
  size_t size = data.size();
  size_t count = 0;
  EXPECT_EQ(base64_encode(reinterpret_cast<uint8_t*>(text.data()), reinterpret_cast<const uint8_t*>(data.data()),
                          &count, &size, mode),
            BASE64_EOK);
  EXPECT_EQ(count + 1, text.size());
  EXPECT_EQ(text.back(), '#');
  text.pop_back();
  return text;
}

struct Decoded {
  int error;
  std::string data;
  size_t read;
};

Decoded decode(const std::string& text, int mode, size_t room = 100) {
  std::string data(100, '#');
  size_t read = text.size();
  const int error = base64_decode(reinterpret_cast<uint8_t*>(data.data()),
                                  reinterpret_cast<const uint8_t*>(text.data()), &room, &read, mode);
  return {error, data.substr(0, room), read};
}

TEST(Base64, EncodesAndDecodesTheVectorsOfTheStandard) {
  const char* const pairs[][2] = {{"", ""},
                                  {"f", "Zg=="},
                                  {"fo", "Zm8="},
                                  {"foo", "Zm9v"},
                                  {"foob", "Zm9vYg=="},
                                  {"fooba", "Zm9vYmE="},
                                  {"foobar", "Zm9vYmFy"}};
  for (const auto& pair : pairs) {
    const std::string text = pair[1];
    EXPECT_EQ(encode(pair[0], base64_enc_modifier_padding), text);
    EXPECT_EQ(encode(pair[0], base64_mode_rfc4648), text.substr(0, text.find('=')));
    const Decoded decoded = decode(text, base64_mode_rfc4648);
    EXPECT_EQ(decoded.error, BASE64_EOK);
    EXPECT_EQ(decoded.data, pair[0]);
    EXPECT_EQ(decoded.read, text.size());
    EXPECT_GE(base64_decoded_size(text.size()), decoded.data.size());
  }
}

TEST(Base64, HasTwoAlphabets) {
  EXPECT_EQ(encode("\xfb\xff\xfe", base64_mode_rfc4648), "+//+");
  EXPECT_EQ(encode("\xfb\xff\xfe", base64_mode_url), "-__-");
  EXPECT_EQ(decode("-__-", base64_mode_url).data, "\xfb\xff\xfe");
  EXPECT_EQ(decode("-__-", base64_mode_rfc4648).read, 0U);
}

TEST(Base64, SkipsSpaceOnlyIfAsked) {
  EXPECT_EQ(decode("Zm\r\n9v Yg==", base64_dec_modifier_skipspace).data, "foob");
  EXPECT_EQ(decode("Zm9v Yg==", base64_mode_rfc4648).data, "foo");
}

TEST(Base64, NamesWhatIsWrong) {
  EXPECT_EQ(decode("Zm9vY", 0).error, BASE64_ETAIL);
  EXPECT_EQ(decode("Zm9vY", 0).read, 4U);
  EXPECT_EQ(decode("Zh==", 0).error, BASE64_EDIRTY);
  EXPECT_EQ(decode("Zm9vYmFy", 0, 4).error, BASE64_EMORE);
  EXPECT_EQ(decode("Zm9vYmFy", 0, 4).data, "foo");
  EXPECT_EQ(decode("Zm9v", 7).error, BASE64_EMODE);
  size_t size = 3;
  uint8_t text[4];
  EXPECT_EQ(base64_encode(text, text, nullptr, &size, 7), BASE64_EMODE);
  EXPECT_EQ(base64_encode(text, text, nullptr, nullptr, 0), BASE64_EARGS);
  for (int error = BASE64_EOK; error <= BASE64_EDIRTY; ++error) {
    EXPECT_STRNE(base64_strerror(error), base64_strerror(99));
  }
}

}  // namespace
