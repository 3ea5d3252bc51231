#include "frontend/hlo/ir/located_error.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/ir/op_table.h"

namespace halyard::hlo {

std::string Named(const Instruction& inst) {
  const std::string place = inst.provenance.Place();
  return absl::StrCat(RowOf(inst.opcode).hlo_name, " ", inst.name,
                      place.empty() ? "" : absl::StrCat(" (", place, ")"));
}

absl::Status LocatedError(absl::StatusCode code, const Instruction& inst, absl::string_view what) {
  const std::string place = inst.provenance.Place();
  return absl::Status(code, absl::StrCat(place, place.empty() ? "" : ": ", "error: ",
                                         RowOf(inst.opcode).hlo_name, " ", inst.name, ": ", what));
}

}  // namespace halyard::hlo
