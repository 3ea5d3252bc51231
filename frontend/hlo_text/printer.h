// Prints a Module as HLO text that ParseModule and XLA's parser read back.
#ifndef HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_
#define HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_

#include <string>

#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_text {

struct PrintOptions {
  bool metadata = true;         // op_name and the user's source location
  bool large_constants = true;  // false: arrays of more than 10 elements are printed as {...}
  // If true, two structurally equal modules print the same text. Names become p0, v1, c0… in an
  // order that the graph alone determines. Metadata, dead instructions, unreached computations,
  // sharding, attributes that the op's row does not name, and optional attributes at their defaults
  // are left out. Kernel keys consist of this text, and ParseModule reads it.
  bool canonical = false;
};

// Returns text that ParseModule and XLA's parser read back as the same module, apart from
// provenance: the metadata of HLO text holds one op_name and one place.
std::string Print(const hlo::Module& module, const PrintOptions& options = {});

// Returns one line without indentation or ROOT, with names as they are (canonical leaves out what
// is stated above).
std::string PrintInstruction(const hlo::Instruction& instruction, const PrintOptions& options = {});

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_
