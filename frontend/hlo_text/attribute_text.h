// Reads and prints attribute values in HLO text, by kind.
#ifndef HALYARD_FRONTEND_HLO_TEXT_ATTRIBUTE_TEXT_H_
#define HALYARD_FRONTEND_HLO_TEXT_ATTRIBUTE_TEXT_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "frontend/hlo/ir/attributes.h"
#include "frontend/hlo_text/cursor.h"

namespace halyard::hlo_text {

std::optional<hlo::Attr> AttrFromName(absl::string_view name);

// Reads what follows `name=`. A kRaw value that is given as a string is stored without quotes and
// escapes.
bool ReadAttrValue(Cursor& cursor, hlo::AttrKind kind, hlo::AttrValue* value);

// Returns text that ReadAttrValue reads back as the same value. kRaw text stands as it is if its
// braces are balanced, and is quoted otherwise.
std::string AttrValueText(hlo::AttrKind kind, const hlo::AttrValue& value);

// `"…"` with C escapes.
std::string Quoted(absl::string_view text);

// Returns what is wrong with an op that the table does not have.
std::string UnknownOp(absl::string_view opcode);

// Finds `"known_trip_count":{"n":"7"}` anywhere in a while loop's backend_config.
bool FindTripCount(absl::string_view config, int64_t* count);

// Returns the groups for which `[count,size]<=[dims]T(order)` stands: devices 0, 1, … in the shape
// `dims`, transposed, and cut into `count` groups of `size`. An empty order is that of the
// dimensions. Returns false if the numbers do not fit, or if there are more than 2^20 devices.
bool ExpandIotaGroups(int64_t count, int64_t size, const hlo::Ints& dims, const hlo::Ints& order,
                      hlo::IntLists* groups);

// XLA's device meshes: `mesh['x'=2,'y'=4]`, perhaps with `, device_ids=(…)`, which is a list or
// `[dims]T(order)`. Without either, devices count row-major.
struct DeviceMesh {
  hlo::Ints sizes;                  // of the axes
  hlo::Ints device_ids;             // row-major; or
  hlo::Ints iota_dims, iota_order;  // as in ExpandIotaGroups
};
// `'x'`, or `'x':(pre_size)size`: of axis x, seen as [pre_size, size, rest], the middle.
struct MeshAxisRef {
  int64_t axis = 0;
  int64_t pre_size = 1, size = 0;  // size 0: the whole axis
};
// Returns the groups of devices that differ along these axes only; members count along the axes in
// the order given, the last one fastest. Returns false if the numbers do not fit.
bool ExpandMeshGroups(const DeviceMesh& mesh, absl::Span<const MeshAxisRef> refs,
                      hlo::IntLists* groups);

}  // namespace halyard::hlo_text

#endif  // HALYARD_FRONTEND_HLO_TEXT_ATTRIBUTE_TEXT_H_
