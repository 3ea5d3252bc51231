// HLO modules in the binary form that XLA writes: HloModuleProto, alone or inside a HloProto or a
// HloSnapshot.
//
// All that hlo::Module holds is kept both ways. As in HLO text, metadata has room for one op name
// (several are joined by ";") and one place in the user's program. Optional attributes whose value
// is the same as their absence are absent after reading. Sharding and other attributes for which
// XLA's messages have no field are written as frontend attributes named `halyard.…`. Other fields
// of the messages (schedules, profiles, tiles, memory spaces, control dependencies, metadata of
// shardings, and backend_config except for a loop's trip count where the op has no such attribute)
// are skipped. channel_type, which is_host_transfer implies, is not written. Text protos are not
// read.
#ifndef HALYARD_FRONTEND_HLO_PROTO_HLO_PROTO_H_
#define HALYARD_FRONTEND_HLO_PROTO_HLO_PROTO_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_proto {

// Reads and verifies. Errors begin with `filename: error: ` and name the instruction, with its
// number, or the computation. A place in this file is the name of the file alone.
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseHloProto(absl::string_view bytes,
                                                           absl::string_view filename);

// Returns the same bytes for the same module, which must be valid. Errors: more than 2 GiB, or a
// quantized type (XLA has none).
absl::StatusOr<std::string> ToHloProto(const hlo::Module& module);

// Returns whether the bytes are binary, as a message is and no program text: `filename` ends with
// ".pb", or the bytes begin as a message does and contain control characters.
bool IsHloProto(absl::string_view bytes, absl::string_view filename);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_HLO_PROTO_H_
