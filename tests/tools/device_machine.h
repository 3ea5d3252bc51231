// A machine with a device that has no part of Halyard except halyard-rt, for tests of bundles.
#ifndef HALYARD_TESTS_TOOLS_DEVICE_MACHINE_H_
#define HALYARD_TESTS_TOOLS_DEVICE_MACHINE_H_

#include <string>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard::testing {

// Programs with two kernels, and with one.
inline constexpr char kTwoKernels[] = R"(HloModule plan
ENTRY e {
  a = f32[48,64] parameter(0)
  b = f32[64,40] parameter(1)
  d = f32[48,40] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  t = f32[64,48] transpose(a), dimensions={1,0}
  ROOT r = (f32[48,40], f32[64,48]) tuple(d, t)
}
)";
inline constexpr char kElementwise[] = R"(HloModule plan
ENTRY e {
  a = f32[300] parameter(0)
  ROOT r = f32[300] add(a, a)
}
)";

// Calls RunProgram, which must succeed.
CommandResult Execute(const std::vector<std::string>& command);

// A folder that contains only halyard-rt and the bundle, and an empty environment.
class DeviceMachine {
 public:
  DeviceMachine(const std::string& name, const std::string& bundle);
  // Returns the command that measures the bundle there, with these `NAME=value`.
  std::vector<std::string> Command(std::vector<std::string> environment) const;
  std::string records() const { return folder_ + "/records.jsonl"; }

 private:
  const std::string folder_;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_TOOLS_DEVICE_MACHINE_H_
