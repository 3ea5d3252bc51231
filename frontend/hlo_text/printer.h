// Module → HLO text that ParseModule and XLA's parser read back.
#ifndef HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_
#define HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_

#include <string>

#include "frontend/hlo/module.h"

namespace halyard::hlo_text {

struct PrintOptions {
  bool metadata = true;         // op_name and the user's source location
  bool large_constants = true;  // false: more than 10 elements are printed as {...}
  // Two structurally equal modules print equal: names become p0, v1, c0… in an order given by the
  // graph alone; metadata, dead instructions, unreached computations, sharding, attributes that the
  // op's row does not name and optional ones at their defaults are left out. What kernel keys are
  // made of; ParseModule reads it.
  bool canonical = false;
};

// Text that ParseModule and XLA's parser read back as the same module, provenance apart: the
// metadata of HLO text holds one op_name and one place.
std::string Print(const hlo::Module& module, const PrintOptions& options = {});

// One line without indentation or ROOT, names as they are (canonical leaves out what it says
// above).
std::string PrintInstruction(const hlo::Instruction& instruction, const PrintOptions& options = {});

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_
