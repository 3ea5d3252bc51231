// The properties of ops whose dialects write them in bytecode: attributes in the order of their
// names.
#ifndef HALYARD_FRONTEND_STABLEHLO_DIALECT_PROPERTIES_H_
#define HALYARD_FRONTEND_STABLEHLO_DIALECT_PROPERTIES_H_

#include "absl/strings/string_view.h"

namespace halyard::stablehlo {

// Returns "dimension is_stable?" for "stablehlo.sort": the names in order, with a question mark
// after optional ones. Null for ops without properties, or of other dialects.
const absl::string_view* FindProperties(absl::string_view op);

}  // namespace halyard::stablehlo

#endif  // HALYARD_FRONTEND_STABLEHLO_DIALECT_PROPERTIES_H_
