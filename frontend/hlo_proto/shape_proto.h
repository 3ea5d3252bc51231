// Shapes and literals on the wire.
#ifndef HALYARD_FRONTEND_HLO_PROTO_SHAPE_PROTO_H_
#define HALYARD_FRONTEND_HLO_PROTO_SHAPE_PROTO_H_

#include <vector>

#include "absl/status/status.h"
#include "frontend/hlo/literal.h"
#include "frontend/hlo/shape.h"

namespace halyard::hlo_proto {

namespace wire {
class LiteralProto;
class ShapeProto;
}  // namespace wire

// Refused, as in HLO text: dynamic dimensions, unknown types, arrays whose size overflows 64 bits,
// more than 255 dimensions.
absl::Status ReadShape(const wire::ShapeProto& proto, hlo::Shape* shape);
// With the layout, of row-major arrays too.
void WriteShape(const hlo::Shape& shape, wire::ShapeProto* proto);

// `literal` gets `shape`, the instruction's, from which the message's may differ by its layout.
// Memory grows with what the message holds, not with what its shape promises.
absl::Status ReadLiteral(const wire::LiteralProto& proto, const hlo::Shape& shape,
                         hlo::Literal* literal);
// Row-major, whatever the layout of the literal's shape.
void WriteLiteral(const hlo::Literal& literal, wire::LiteralProto* proto);

}  // namespace halyard::hlo_proto

#endif  // HALYARD_FRONTEND_HLO_PROTO_SHAPE_PROTO_H_
