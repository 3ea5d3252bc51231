#include "frontend/hlo_text/read_shape.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace halyard::hlo_text {
namespace {

using hlo::ElementType;
using hlo::Shape;

constexpr int kMaxTupleDepth = 64;
constexpr size_t kMaxRank = 255;

bool ReadDims(Cursor& cursor, std::vector<int64_t>* dims) {
  if (cursor.TryChar(']')) return true;
  do {
    size_t place = cursor.Offset();
    if (cursor.Peek() == '<' || cursor.Peek() == '?') {
      return cursor.Fail("dynamic dimension sizes are not supported");
    }
    int64_t dim;
    if (!cursor.Int(&dim)) return false;
    if (dim < 0) return cursor.Fail(place, absl::StrCat("dimension size ", dim, " is negative"));
    if (dims->size() == kMaxRank) return cursor.Fail(place, "more than 255 dimensions");
    dims->push_back(dim);
  } while (cursor.TryChar(','));
  return cursor.Expect(']');
}

bool ReadLayout(Cursor& cursor, size_t rank, std::vector<int64_t>* minor_to_major) {
  size_t place = cursor.Offset();
  if (!cursor.Expect('{')) return false;
  if (cursor.Peek() != '}' && cursor.Peek() != ':') {
    do {
      int64_t dim;
      if (!cursor.Int(&dim)) return false;
      minor_to_major->push_back(dim);
    } while (cursor.TryChar(','));
  }
  if (cursor.TryChar(':')) {
    while (!cursor.AtEnd() && cursor.Peek() != '}') {
      if (cursor.TryChar(',')) continue;
      absl::string_view ignored;
      // Compact text stops at ')', which is part of a tile here.
      if (!cursor.TryChar(')') && !cursor.Compact(&ignored, "a layout property")) return false;
    }
  }
  if (!cursor.Expect('}')) return false;
  std::vector<bool> seen(rank, false);
  bool valid = minor_to_major->size() == rank;
  for (size_t i = 0; valid && i < rank; ++i) {
    int64_t dim = (*minor_to_major)[i];
    valid = dim >= 0 && dim < static_cast<int64_t>(rank) && !seen[dim];
    if (valid) seen[dim] = true;
  }
  if (!valid) {
    return cursor.Fail(place,
                       absl::StrCat("layout is no permutation of the ", rank, " dimensions"));
  }
  return true;
}

bool ReadArray(Cursor& cursor, Shape* shape) {
  size_t place = cursor.Offset();
  std::string name;
  if (!cursor.Name(&name, "a shape")) return false;
  std::optional<ElementType> type = hlo::ElementTypeFromHloName(name);
  if (!type && name != "token") {
    return cursor.Fail(place, absl::StrCat("unknown element type '", name, "'"));
  }
  std::vector<int64_t> dims, minor_to_major;
  if (!cursor.Expect('[') || !ReadDims(cursor, &dims)) return false;
  bool layout = cursor.RawPeek() == '{';
  if (layout && !ReadLayout(cursor, dims.size(), &minor_to_major)) return false;
  if (!type) {
    *shape = Shape::Token();
    return dims.empty() || cursor.Fail(place, "a token has no dimensions");
  }
  if (hlo::CheckedByteSize(*type, dims) < 0) {
    return cursor.Fail(place, "the array's size in bytes does not fit 64 bits");
  }
  *shape = Shape::ArrayWithLayout(*type, std::move(dims), std::move(minor_to_major));
  return true;
}

bool ReadNested(Cursor& cursor, int depth, Shape* shape) {
  if (cursor.Peek() != '(') return ReadArray(cursor, shape);
  if (depth == kMaxTupleDepth) {
    return cursor.Fail(absl::StrCat("tuples are nested more than ", kMaxTupleDepth, " deep"));
  }
  cursor.Expect('(');
  std::vector<Shape> elements;
  if (!cursor.TryChar(')')) {
    do {
      if (!ReadNested(cursor, depth + 1, &elements.emplace_back())) return false;
    } while (cursor.TryChar(','));
    if (!cursor.Expect(')')) return false;
  }
  *shape = Shape::Tuple(std::move(elements));
  return true;
}

}  // namespace

bool ReadShape(Cursor& cursor, Shape* shape) { return ReadNested(cursor, 0, shape); }

bool AtShape(Cursor& cursor) {
  if (cursor.Peek() == '(') return true;
  absl::string_view name = cursor.PeekName();
  return !name.empty() && cursor.Peek() != '%' && cursor.PeekText(absl::StrCat(name, "["));
}

}  // namespace halyard::hlo_text
