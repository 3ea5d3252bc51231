// The types and shapes of a custom call's arrays. The numbers of its step are, for each slice, the
// type's number, the rank and the dimensions. Programs of earlier versions have no numbers there.
#ifndef HALYARD_RUNTIME_PROGRAM_CALL_TYPES_H_
#define HALYARD_RUNTIME_PROGRAM_CALL_TYPES_H_

#include <stddef.h>
#include <stdint.h>

#include "runtime/program/program_format.h"

namespace halyard::runtime {

// The position of a type is its number in program files, so new types go to the end.
struct CallType {
  const char* name;
  uint8_t bytes;  // of an element as it is stored
};
inline constexpr CallType kCallTypes[] = {
    {"pred", 1},       {"s2", 1},       {"s4", 1},         {"s8", 1},        {"s16", 2},
    {"s32", 4},        {"s64", 8},      {"u2", 1},         {"u4", 1},        {"u8", 1},
    {"u16", 2},        {"u32", 4},      {"u64", 8},        {"f16", 2},       {"bf16", 2},
    {"f32", 4},        {"f64", 8},      {"c64", 8},        {"c128", 16},     {"f4e2m1fn", 1},
    {"f6e2m3fn", 1},   {"f6e3m2fn", 1}, {"f8e3m4", 1},     {"f8e4m3", 1},    {"f8e4m3fn", 1},
    {"f8e4m3fnuz", 1}, {"f8e5m2", 1},   {"f8e5m2fnuz", 1}, {"f8e8m0fnu", 1}, {"f8e4m3b11fnuz", 1}};

// Returns the number of the type with this name, or -1.
int64_t CallTypeNumber(const char* name, size_t length);

// Returns what is wrong with the numbers of the custom call, or null. Its slices, and `num_numbers`
// numbers, lie within the file.
const char* WrongCall(const program_format::StepRecord& step,
                      const program_format::SliceRecord* slices, const int64_t* numbers);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_CALL_TYPES_H_
