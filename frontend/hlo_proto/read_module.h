#ifndef HALYARD_FRONTEND_HLO_PROTO_READ_MODULE_H_
#define HALYARD_FRONTEND_HLO_PROTO_READ_MODULE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_proto {

namespace wire {
class HloModuleProto;
}  // namespace wire

// Returns the module, which is not yet verified. Errors name the computation and the instruction.
absl::StatusOr<std::unique_ptr<hlo::Module>> ReadModule(const wire::HloModuleProto& proto,
                                                        absl::string_view filename);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_READ_MODULE_H_
