#include "runtime/execute/typed_call.h"

#include "runtime/program/call_types.h"

namespace halyard::runtime {

void DescribeCall(const Program& program, const program_format::StepRecord& step,
                  CallValue* values) {
  const program_format::SliceRecord* slices = program.slices(step);
  const int64_t* numbers = program.numbers(step);
  for (uint32_t i = 0; i < step.num_slices; ++i) {
    values[i] = {"", "", -1, nullptr, nullptr, slices[i].bytes};
    if (step.num_numbers == 0) continue;
    values[i].element_type = kCallTypes[numbers[0]].name;
    values[i].rank = static_cast<int>(numbers[1]);
    values[i].dims = numbers + 2;
    numbers += 2 + numbers[1];
  }
}

}  // namespace halyard::runtime
