#ifndef HALYARD_FRONTEND_HLO_PROTO_WRITE_MODULE_H_
#define HALYARD_FRONTEND_HLO_PROTO_WRITE_MODULE_H_

#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_proto {

namespace wire {
class HloModuleProto;
}  // namespace wire

// Gives out numbers in order, callees before callers.
void WriteModule(const hlo::Module& module, wire::HloModuleProto* proto);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_WRITE_MODULE_H_
