// HLO text → Module. Takes what `Module::ToString`, XLA's `as_hlo_text` and `xla_dump` write.
#ifndef HALYARD_FRONTEND_HLO_TEXT_PARSER_H_
#define HALYARD_FRONTEND_HLO_TEXT_PARSER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "frontend/hlo/module.h"

namespace halyard::hlo_text {

// Parses and verifies. Errors: `filename:line:col: error: …`. Attributes that only tools read
// (metadata's stack frames, backend_config of others, …) are skipped by name; an unknown attribute
// is an error.
absl::StatusOr<std::unique_ptr<hlo::Module>> ParseModule(absl::string_view text,
                                                         absl::string_view filename);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_PARSER_H_
