#include "runtime/program/call_types.h"

#include <string.h>

namespace halyard::runtime {
namespace {

constexpr int64_t kNumTypes = sizeof(kCallTypes) / sizeof(kCallTypes[0]);

}  // namespace

int64_t CallTypeNumber(const char* name, size_t length) {
  for (int64_t i = 0; i < kNumTypes; ++i) {
    if (strlen(kCallTypes[i].name) == length && memcmp(kCallTypes[i].name, name, length) == 0)
      return i;
  }
  return -1;
}

const char* WrongCall(const program_format::StepRecord& step,
                      const program_format::SliceRecord* slices, const int64_t* numbers) {
  if (step.num_numbers == 0) return nullptr;
  uint64_t at = 0;
  for (uint32_t i = 0; i < step.num_slices; ++i) {
    if (step.num_numbers - at < 2) return "custom call's shapes";
    const int64_t type = numbers[at], rank = numbers[at + 1];
    at += 2;
    if (type < 0 || type >= kNumTypes || rank < 0 ||
        static_cast<uint64_t>(rank) > step.num_numbers - at)
      return "custom call's shapes";
    uint64_t bytes = kCallTypes[type].bytes;
    bool empty = false, huge = false;
    for (int64_t d = 0; d < rank; ++d, ++at) {
      if (numbers[at] < 0) return "custom call's shapes";
      empty |= numbers[at] == 0;
      huge |= __builtin_mul_overflow(bytes, static_cast<uint64_t>(numbers[at]), &bytes);
    }
    if (empty ? slices[i].bytes != 0 : huge || slices[i].bytes != bytes)
      return "custom call's shapes";
  }
  return at == step.num_numbers ? nullptr : "custom call's shapes";
}

}  // namespace halyard::runtime
