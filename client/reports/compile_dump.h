// Writes what a compile made, into the folder that --dump names: the module after each pass, and
// the stages of each kernel.
#ifndef HALYARD_CLIENT_REPORTS_COMPILE_DUMP_H_
#define HALYARD_CLIENT_REPORTS_COMPILE_DUMP_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "frontend/hlo/ir/module.h"
#include "lowering/kernels/kernel_request.h"
#include "runtime/device_info.h"

namespace halyard {

class CompileDump {
 public:
  // Makes the folder. If `folder` is empty, nothing is dumped.
  static absl::StatusOr<CompileDump> Create(const std::string& folder);
  bool on() const { return !folder_.empty(); }
  // Writes the module after the pass `name`.
  void Pass(const char* name, const hlo::Module& module);
  // Writes the stages of kernel `index` of the program.
  void Kernel(size_t index, const lowering::KernelReply& reply, runtime::DeviceKind kind);
  // Returns the first error of those that writing has met.
  const absl::Status& status() const { return status_; }

 private:
  void Note(const absl::Status& status);

  std::string folder_;
  int next_ = 0;
  absl::Status status_;
};

}  // namespace halyard

#endif  // HALYARD_CLIENT_REPORTS_COMPILE_DUMP_H_
