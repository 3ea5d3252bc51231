// Module → HLO text that ParseModule and XLA's parser read back.
#ifndef HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_
#define HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_

#include <string>

#include "frontend/hlo/module.h"

namespace halyard::hlo_text {

struct PrintOptions {
  bool metadata = true;         // op_name and source locations
  bool large_constants = true;  // false: more than 10 elements are printed as {...}
  bool canonical =
      false;  // names replaced by p0, v1, c0… in order, no metadata, computations in post-order:
              // two structurally equal modules print equal. What kernel keys are made of.
};
std::string Print(const hlo::Module& module, const PrintOptions& options = {});
std::string PrintInstruction(const hlo::Instruction& instruction, const PrintOptions& options = {});

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_PRINTER_H_
