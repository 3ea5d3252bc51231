// Parses HLO text into a Module. It takes what Print (printer.h), XLA's `as_hlo_text` and
// `xla_dump` write.
#ifndef HALYARD_FRONTEND_HLO_TEXT_PARSER_H_
#define HALYARD_FRONTEND_HLO_TEXT_PARSER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/ir/module.h"

namespace halyard::hlo_text {

// Parses and verifies. Returns one error: `filename:line:col: error: …`, with columns counted in
// bytes. Names must be defined before they are used, as XLA writes them. Module attributes and
// metadata that say nothing about what is computed are skipped, and so are instruction attributes
// of that kind, by name. An unknown attribute is an error, and so is a constant elided as `{...}`.
// Layouts are kept without tiles and memory spaces. Each instruction's provenance begins with its
// place in this text, followed by the user's place that the metadata (or XLA's tables of stack
// frames) states.
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseModule(absl::string_view text,
                                                         absl::string_view filename);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_PARSER_H_
