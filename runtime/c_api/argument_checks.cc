#include "runtime/c_api/argument_checks.h"

#include <string.h>

#include "runtime/version.h"

namespace halyard::runtime {

using program_format::ValueRecord;

namespace {

// A type whose elements take a byte and have fewer than its 256 values.
struct NarrowType {
  const char* name;
  int low, high;  // of the byte, as a signed number
};
constexpr NarrowType kNarrowTypes[] = {
    {"pred", 0, 1}, {"s2", -2, 1},       {"u2", 0, 3},        {"s4", -8, 7},
    {"u4", 0, 15},  {"f4e2m1fn", 0, 15}, {"f6e2m3fn", 0, 63}, {"f6e3m2fn", 0, 63},
};

bool Overlap(const void* a, int64_t a_bytes, const void* b, int64_t b_bytes) {
  const auto first = reinterpret_cast<uintptr_t>(a), second = reinterpret_cast<uintptr_t>(b);
  return first < second ? second - first < static_cast<uint64_t>(a_bytes)
                        : first - second < static_cast<uint64_t>(b_bytes);
}

Status Missing(const Program& program, const char* what, uint32_t index,
               const ValueRecord& record) {
  return MakeStatus(Code::kInvalidArgument, "%s %u (%s) is NULL", what, index,
                    program.String(record.name).data);
}

}  // namespace

Status CheckMemory(const Program& program, const void* const* arguments, void* const* results) {
  for (uint32_t i = 0; i < program.num_parameters(); ++i) {
    const ValueRecord& argument = program.parameter(i);
    if (argument.bytes != 0 && arguments[i] == nullptr)
      return Missing(program, "argument", i, argument);
  }
  for (uint32_t i = 0; i < program.num_results(); ++i) {
    const ValueRecord& result = program.result(i);
    if (result.bytes == 0) continue;
    if (results[i] == nullptr) return Missing(program, "result", i, result);
    for (uint32_t j = 0; j < program.num_parameters(); ++j) {
      if (program.parameter(j).bytes != 0 &&
          Overlap(results[i], result.bytes, arguments[j], program.parameter(j).bytes)) {
        return MakeStatus(Code::kInvalidArgument, "result %u (%s) and argument %u (%s) overlap", i,
                          program.String(result.name).data, j,
                          program.String(program.parameter(j).name).data);
      }
    }
    for (uint32_t j = 0; j < i; ++j) {
      if (program.result(j).bytes != 0 &&
          Overlap(results[i], result.bytes, results[j], program.result(j).bytes)) {
        return MakeStatus(Code::kInvalidArgument, "results %u (%s) and %u (%s) overlap", j,
                          program.String(program.result(j).name).data, i,
                          program.String(result.name).data);
      }
    }
  }
  return Status();
}

int64_t FindWrongElement(const char* type, const void* data, int64_t bytes, int* value) {
  const NarrowType* narrow = nullptr;
  for (const NarrowType& row : kNarrowTypes) {
    if (strcmp(row.name, type) == 0) narrow = &row;
  }
  if (narrow == nullptr) return -1;
  const int8_t* elements = static_cast<const int8_t*>(data);
  const int low = narrow->low, high = narrow->high;
  bool wrong = false;  // the loop has no branch, so it is vectorized
  for (int64_t i = 0; i < bytes; ++i) wrong |= elements[i] < low || elements[i] > high;
  if (!wrong) return -1;
  int64_t at = 0;
  while (elements[at] >= low && elements[at] <= high) ++at;
  *value = elements[at];
  return at;
}

Status CheckElements(const Program& program, uint32_t index, const void* data) {
  const ValueRecord& record = program.parameter(index);
  const char* type = program.String(record.element_type).data;
  int value = 0;
  const int64_t at = FindWrongElement(type, data, record.bytes, &value);
  if (at < 0) return Status();
  return MakeStatus(Code::kInvalidArgument, "argument %u (%s): element %lld is %d, no value of %s",
                    index, program.String(record.name).data, static_cast<long long>(at), value,
                    type);
}

Status ReadOptions(const void* given, const char* name, void* options, size_t size) {
  memset(options, 0, size);
  if (given == nullptr) return Status();
  size_t given_size;
  memcpy(&given_size, given, sizeof(given_size));
  if (given_size < sizeof(size_t) || given_size > 65536) {
    return MakeStatus(Code::kInvalidArgument, "%s: struct_size is %zu, not sizeof(%s)", name,
                      given_size, name);
  }
  for (size_t i = size; i < given_size; ++i) {
    if (static_cast<const char*>(given)[i] == 0) continue;
    return MakeStatus(Code::kInvalidArgument,
                      "%s: struct_size is %zu, of which Halyard " HALYARD_VERSION_TEXT
                      " knows %zu bytes, and byte %zu is not 0",
                      name, given_size, size, i);
  }
  memcpy(options, given, given_size < size ? given_size : size);
  return Status();
}

}  // namespace halyard::runtime
