// The value of a `constant(…)` instruction.
#ifndef HALYARD_FRONTEND_HLO_TEXT_READ_LITERAL_H_
#define HALYARD_FRONTEND_HLO_TEXT_READ_LITERAL_H_

#include "frontend/hlo/values/literal.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_text {

// Reads a value of `shape`: `1.5`, `{ {1, 2}, {3, 4} }`, or `(1, -inf)` for complex numbers and for
// tuples. Memory grows with the text that is read, and not with what the shape promises. Values
// that the type cannot hold, counts that differ from those of the shape, and elided values
// (`{...}`) are errors.
bool ReadLiteral(Cursor& cursor, const hlo::Shape& shape, hlo::Literal* literal);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_READ_LITERAL_H_
