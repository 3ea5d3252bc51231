#include "frontend/hlo_text/read_shape.h"

#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "frontend/hlo/values/quantized.h"

namespace halyard::hlo_text {
namespace {

using hlo::ElementType;
using hlo::Shape;

constexpr int kMaxTupleDepth = 64;
constexpr size_t kMaxRank = 255;

// `2`, `<=3` (a bound), `?`.
bool ReadDims(Cursor& cursor, std::vector<int64_t>* dims, std::vector<bool>* bounded) {
  if (cursor.TryChar(']')) return true;
  do {
    size_t place = cursor.Offset();
    int64_t dim = Shape::kUnbounded;
    const bool unbounded = cursor.TryChar('?');
    bounded->push_back(!unbounded && cursor.TryChar('<'));
    if (bounded->back() && !cursor.Expect('=')) return false;
    if (!unbounded && !cursor.Int(&dim)) return false;
    if (!unbounded && dim < 0)
      return cursor.Fail(place, absl::StrCat("dimension size ", dim, " is negative"));
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

bool ReadScales(Cursor& cursor, hlo::Quantization* quantization) {
  if (!cursor.Expect('{')) return false;
  do {
    size_t place = cursor.Offset();
    double scale;
    int64_t zero_point = 0;
    if (!absl::SimpleAtod(cursor.NumberText(), &scale)) return cursor.Fail(place, "no scale");
    if (cursor.TryChar(':') && !cursor.Int(&zero_point)) return false;
    quantization->scales.push_back(scale);
    quantization->zero_points.push_back(zero_point);
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// `<-128:127:f32:1, {0.5:3,0.25}>`, see hlo::ToString. XLA has no such types.
bool ReadQuantization(Cursor& cursor, std::shared_ptr<const hlo::Quantization>* quantization) {
  auto read = std::make_shared<hlo::Quantization>();
  std::string name;
  if (!cursor.Expect('<') || !cursor.Int(&read->storage_min) || !cursor.Expect(':') ||
      !cursor.Int(&read->storage_max) || !cursor.Expect(':')) {
    return false;
  }
  size_t place = cursor.Offset();
  if (!cursor.Name(&name, "an element type")) return false;
  std::optional<ElementType> expressed = hlo::ElementTypeFromHloName(name);
  if (!expressed || !hlo::IsFloat(*expressed)) {
    return cursor.Fail(place, absl::StrCat("'", name, "' is no float type"));
  }
  read->expressed = *expressed;
  if (cursor.TryChar(':') && !cursor.Int(&read->dimension.emplace())) return false;
  if (!cursor.Expect(',') || !ReadScales(cursor, read.get()) || !cursor.Expect('>')) return false;
  hlo::RoundScales(read.get());
  *quantization = std::move(read);
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
  std::shared_ptr<const hlo::Quantization> quantization;
  if (type && cursor.RawPeek() == '<' && !ReadQuantization(cursor, &quantization)) return false;
  std::vector<int64_t> dims, minor_to_major;
  std::vector<bool> bounded;
  if (!cursor.Expect('[') || !ReadDims(cursor, &dims, &bounded)) return false;
  bool layout = cursor.RawPeek() == '{';
  if (layout && !ReadLayout(cursor, dims.size(), &minor_to_major)) return false;
  if (!type) {
    *shape = Shape::Token();
    return dims.empty() || cursor.Fail(place, "a token has no dimensions");
  }
  *shape = Shape::ArrayWithLayout(*type, std::move(dims), std::move(minor_to_major))
               .WithBoundedDims(std::move(bounded))
               .WithQuantization(std::move(quantization));
  if (!hlo::ByteSizeFits(*shape)) {
    return cursor.Fail(place, "the array's size in bytes does not fit 64 bits");
  }
  absl::Status valid = hlo::CheckQuantizedShape(*shape);
  if (!valid.ok()) return cursor.Fail(place, valid.message());
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
  return !name.empty() && cursor.Peek() != '%' &&
         (cursor.PeekText(absl::StrCat(name, "[")) || cursor.PeekText(absl::StrCat(name, "<")));
}

}  // namespace halyard::hlo_text
