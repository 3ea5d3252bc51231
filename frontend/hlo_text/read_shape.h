// Shapes in HLO text: `f32[2,3]{1,0:T(8,128)}`, `(f32[2], s32[])`, `token[]`.
#ifndef HALYARD_FRONTEND_HLO_TEXT_READ_SHAPE_H_
#define HALYARD_FRONTEND_HLO_TEXT_READ_SHAPE_H_

#include "frontend/hlo/values/shape.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_text {

// Reads one shape. Ignores what follows ':' in a layout (tiles, memory spaces). Refuses dynamic
// dimensions, unknown types, arrays whose size overflows 64 bits, ranks over 255, and tuples nested
// more than 64 deep.
bool ReadShape(Cursor& cursor, hlo::Shape* shape);

// Returns whether a shape and not a name comes next: '(' or a type name directly before '['.
bool AtShape(Cursor& cursor);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_READ_SHAPE_H_
