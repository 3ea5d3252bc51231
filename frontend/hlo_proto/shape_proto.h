// Reads and writes shapes and literals in the wire format.
#ifndef HALYARD_FRONTEND_HLO_PROTO_SHAPE_PROTO_H_
#define HALYARD_FRONTEND_HLO_PROTO_SHAPE_PROTO_H_

#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/values/literal.h"
#include "frontend/hlo/values/shape.h"

namespace halyard::hlo_proto {

namespace wire {
class LiteralProto;
class ShapeProto;
}  // namespace wire

// As in HLO text, refuses dynamic dimensions, unknown types, arrays whose size overflows 64 bits,
// and more than 255 dimensions.
absl::Status ReadShape(const wire::ShapeProto& proto, hlo::Shape* shape);
// Writes the layout, even of row-major arrays.
void WriteShape(const hlo::Shape& shape, wire::ShapeProto* proto);

// `literal` gets `shape`, which is the instruction's; the message's shape may have another layout.
// Memory grows with what the message holds, and not with what its shape promises.
absl::Status ReadLiteral(const wire::LiteralProto& proto, const hlo::Shape& shape,
                         hlo::Literal* literal);
// Writes row-major elements, whatever the layout of the literal's shape.
void WriteLiteral(const hlo::Literal& literal, wire::LiteralProto* proto);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_SHAPE_PROTO_H_
