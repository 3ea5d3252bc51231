// Chooses among the targets of a bundle by the devices and the CPU of this machine.
#ifndef HALYARD_RUNTIME_C_API_CHOOSE_TARGET_H_
#define HALYARD_RUNTIME_C_API_CHOOSE_TARGET_H_

#include <stdint.h>

#include "runtime/c_api/open_device.h"
#include "runtime/execute/executor.h"
#include "runtime/program/bundle/bundle.h"
#include "runtime/status.h"

namespace halyard::runtime {

struct ChooseOptions {
  const char* targets = nullptr;  // as in hy_choose_options; null stands for $HALYARD_TARGET
  Context* shared = nullptr;      // an open device, which is then the only one
  DeviceOptions device;           // of devices that are opened
  const hy_named_call* calls = nullptr;
  size_t num_calls = 0;
};

// Makes the best part of the bundle ready that can run here, and gives it the bundle's mapping.
// Executable::choice says, a line for each target, why it was chosen or not. The order of
// preference and what the environment does are in halyard_rt.h (hy_program_choose_file).
//
// Returns kUnavailable with the reasons if no target can run; kInvalidArgument if `targets` or the
// environment names what there is not; and the errors of a damaged part, or of one that calls a
// function that is not registered.
Status ChooseTarget(Bundle* bundle, const ChooseOptions& options, const ExecutableOptions& load,
                    Executable** executable);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_CHOOSE_TARGET_H_
