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

const ValueRecord& ArrayOfProgram(const void* of, uint32_t index) {
  const Program& program = *static_cast<const Program*>(of);
  const uint32_t num_arguments = program.num_parameters();
  return index < num_arguments ? program.parameter(index) : program.result(index - num_arguments);
}

}  // namespace

Status CheckMemory(const RunArrays& arrays, const void* const* arguments, void* const* results) {
  const uint32_t num_arguments = arrays.num_arguments;
  const auto memory = [&](uint32_t i) {
    return i < num_arguments ? arguments[i] : results[i - num_arguments];
  };
  const auto kind = [&](uint32_t i) { return i < num_arguments ? "argument" : "result"; };
  const auto number = [&](uint32_t i) { return i < num_arguments ? i : i - num_arguments; };
  for (uint32_t i = 0; i < num_arguments + arrays.num_results; ++i) {
    const uint64_t bytes = arrays.bytes(arrays.of, i);
    if (bytes == 0) continue;
    if (memory(i) == nullptr) {
      return MakeStatus(Code::kInvalidArgument, "%s %u (%s) is NULL", kind(i), number(i),
                        arrays.name(arrays.of, i));
    }
    for (uint32_t j = 0; i >= num_arguments && j < i; ++j) {
      const uint64_t other_bytes = arrays.bytes(arrays.of, j);
      if (!ArraysOverlap(memory(i), bytes, memory(j), other_bytes)) continue;
      return MakeStatus(Code::kInvalidArgument, "%s %u (%s) and %s %u (%s) overlap", kind(i),
                        number(i), arrays.name(arrays.of, i), kind(j), number(j),
                        arrays.name(arrays.of, j));
    }
  }
  return Status();
}

Status CheckMemory(const Program& program, const void* const* arguments, void* const* results) {
  RunArrays arrays{&program, program.num_parameters(), program.num_results(), nullptr, nullptr};
  arrays.bytes = [](const void* of, uint32_t index) {
    return static_cast<uint64_t>(ArrayOfProgram(of, index).bytes);
  };
  arrays.name = [](const void* of, uint32_t index) {
    return static_cast<const Program*>(of)->String(ArrayOfProgram(of, index).name).data;
  };
  return CheckMemory(arrays, arguments, results);
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
  return CheckElements(program, index, data, static_cast<uint64_t>(program.parameter(index).bytes));
}

Status CheckElements(const Program& program, uint32_t index, const void* data, uint64_t bytes) {
  const ValueRecord& record = program.parameter(index);
  const char* type = program.String(record.element_type).data;
  int value = 0;
  const int64_t at = FindWrongElement(type, data, static_cast<int64_t>(bytes), &value);
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
