#include "decode.h"
namespace wick::npu {
bool decode_u85(Context& context, std::uint32_t, std::uint32_t, Operation&) {
  return context.fail(Fault::kUnsupported, "u85");
}
bool execute_resize(Context& context, const Operation&) { return context.fail(Fault::kUnsupported, "u85"); }
bool FwdDummy();
}  // namespace wick::npu
