#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_text {
namespace {

using hlo::AttrKind;
using hlo::AttrValue;

bool ReadInts(Cursor& cursor, hlo::Ints* ints) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    if (!cursor.Int(&ints->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

bool ReadIntsUpTo(Cursor& cursor, char close, hlo::Ints* ints) {
  do {
    if (!cursor.Int(&ints->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect(close);
}

// `[2,4]<=[4,2]T(1,0)`: groups of devices, see ExpandIotaGroups.
bool ReadIotaGroups(Cursor& cursor, hlo::IntLists* lists) {
  size_t place = cursor.Offset();
  hlo::Ints shape, dims, order;
  if (!cursor.Expect('[') || !ReadIntsUpTo(cursor, ']', &shape) || !cursor.ExpectText("<=") ||
      !cursor.Expect('[') || !ReadIntsUpTo(cursor, ']', &dims)) {
    return false;
  }
  if (cursor.TryText("T(") && !ReadIntsUpTo(cursor, ')', &order)) return false;
  return (shape.size() == 2 && ExpandIotaGroups(shape[0], shape[1], dims, order, lists)) ||
         cursor.Fail(place, "expected groups of devices like [2,4]<=[4,2]T(1,0)");
}

// `'x'`
bool ReadAxisName(Cursor& cursor, std::string* name) {
  return cursor.Expect('\'') && cursor.Name(name, "the name of a mesh's axis") &&
         cursor.Expect('\'');
}

// `mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))`
bool ReadMesh(Cursor& cursor, std::vector<std::string>* names, DeviceMesh* mesh) {
  if (!cursor.ExpectText("mesh") || !cursor.Expect('[')) return false;
  do {
    if (!ReadAxisName(cursor, &names->emplace_back()) || !cursor.Expect('=') ||
        !cursor.Int(&mesh->sizes.emplace_back())) {
      return false;
    }
  } while (cursor.TryChar(','));
  if (!cursor.Expect(']')) return false;
  if (!cursor.TryChar(',')) return true;
  if (!cursor.ExpectText("device_ids=") || !cursor.Expect('(')) return false;
  if (!cursor.TryChar('[')) return ReadIntsUpTo(cursor, ')', &mesh->device_ids);
  if (!ReadIntsUpTo(cursor, ']', &mesh->iota_dims)) return false;
  if (cursor.TryText("T(") && !ReadIntsUpTo(cursor, ')', &mesh->iota_order)) return false;
  return cursor.Expect(')');
}

// `mesh[…] {'x','y':(1)2}`: see ExpandMeshGroups.
bool ReadMeshGroups(Cursor& cursor, hlo::IntLists* lists) {
  const size_t place = cursor.Offset();
  std::vector<std::string> names;
  DeviceMesh mesh;
  std::vector<MeshAxisRef> refs;
  if (!ReadMesh(cursor, &names, &mesh) || !cursor.Expect('{')) return false;
  while (!cursor.TryChar('}')) {
    if (!refs.empty() && !cursor.Expect(',')) return false;
    const size_t at = cursor.Offset();
    std::string name;
    if (!ReadAxisName(cursor, &name)) return false;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      return cursor.Fail(at, absl::StrCat("the mesh has no axis '", name, "'"));
    MeshAxisRef& ref = refs.emplace_back();
    ref.axis = found - names.begin();
    if (cursor.TryText(":(") && !(cursor.Int(&ref.pre_size) && cursor.Expect(')') &&
                                  cursor.Int(&ref.size) && ref.size > 0)) {
      return cursor.Fail(at, "expected a part of an axis like 'x':(1)2");
    }
  }
  return ExpandMeshGroups(mesh, refs, lists) ||
         cursor.Fail(place, "expected groups of devices like mesh['x'=2,'y'=4] {'x'}");
}

bool ReadIntLists(Cursor& cursor, hlo::IntLists* lists) {
  if (cursor.Peek() == '[') return ReadIotaGroups(cursor, lists);
  if (cursor.PeekText("mesh")) return ReadMeshGroups(cursor, lists);
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    if (!ReadInts(cursor, &lists->emplace_back())) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

bool ReadWords(Cursor& cursor, hlo::Words* words) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    if (!cursor.Name(&words->emplace_back(), "a word")) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// "1x-2" → {{1}, {-2}}; "0_1x2_3" → {{0, 1}, {2, 3}}.
bool SplitDims(absl::string_view text, hlo::IntLists* dims) {
  for (absl::string_view dim : absl::StrSplit(text, 'x')) {
    hlo::Ints& numbers = dims->emplace_back();
    for (absl::string_view number : absl::StrSplit(dim, '_')) {
      if (!absl::SimpleAtoi(number, &numbers.emplace_back())) return false;
    }
  }
  return true;
}

bool SetWindowField(absl::string_view field, const hlo::IntLists& values, hlo::Window* window) {
  size_t numbers = field == "pad" ? 2 : 1;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].size() != numbers) return false;
    int64_t value = values[i][0];
    hlo::WindowDim& dim = window->dims[i];
    if (field == "size") {
      dim.size = value;
    } else if (field == "stride") {
      dim.stride = value;
    } else if (field == "pad") {
      dim.pad_low = value;
      dim.pad_high = values[i][1];
    } else if (field == "lhs_dilate") {
      dim.base_dilation = value;
    } else if (field == "rhs_dilate") {
      dim.window_dilation = value;
    } else {  // rhs_reversal
      if (value != 0 && value != 1) return false;
      dim.reversal = value == 1;
    }
  }
  return true;
}

bool ReadWindow(Cursor& cursor, hlo::Window* window) {
  constexpr absl::string_view kFields[] = {"size",       "stride",     "pad",
                                           "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  if (!cursor.Expect('{')) return false;
  hlo::Words seen;
  while (!cursor.TryChar('}')) {
    size_t place = cursor.Offset();
    std::string field;
    absl::string_view text;
    if (!cursor.Name(&field, "a window field or '}'") || !cursor.Expect('=')) return false;
    if (std::find(std::begin(kFields), std::end(kFields), field) == std::end(kFields)) {
      return cursor.Fail(place, absl::StrCat("unknown window field '", field, "'"));
    }
    if (std::find(seen.begin(), seen.end(), field) != seen.end()) {
      return cursor.Fail(place, absl::StrCat("window field '", field, "' is given twice"));
    }
    size_t value_place = cursor.Offset();
    if (!cursor.Compact(&text, "dimensions")) return false;
    hlo::IntLists values;
    if (!SplitDims(text, &values)) {
      return cursor.Fail(value_place,
                         absl::StrCat("'", text, "' is not a list like 3x3 or 0_1x0_1"));
    }
    if (seen.empty()) window->dims.resize(values.size());
    if (values.size() != window->dims.size()) {
      return cursor.Fail(value_place,
                         absl::StrCat("window field '", field, "' has ", values.size(),
                                      " dimensions, the one before it ", window->dims.size()));
    }
    if (!SetWindowField(field, values, window)) {
      return cursor.Fail(value_place, absl::StrCat("wrong value for window field '", field, "'"));
    }
    seen.push_back(field);
  }
  return true;
}

bool ReadPadding(Cursor& cursor, hlo::PaddingConfig* padding) {
  char next = cursor.RawPeek();
  if (next == ',' || next == '\0' || absl::ascii_isspace(next)) return true;  // of a scalar
  size_t place = cursor.Offset();
  absl::string_view text;
  hlo::IntLists values;
  if (!cursor.Compact(&text, "padding")) return false;
  bool valid = SplitDims(text, &values);
  for (const hlo::Ints& dim : values) {
    valid = valid && (dim.size() == 2 || dim.size() == 3);
    if (valid) padding->push_back({dim[0], dim[1], dim.size() == 3 ? dim[2] : 0});
  }
  return valid || cursor.Fail(place, absl::StrCat("'", text, "' is no padding like 0_1_2x0_0"));
}

bool ReadSlice(Cursor& cursor, hlo::SliceDims* slice) {
  if (!cursor.Expect('{')) return false;
  if (cursor.TryChar('}')) return true;
  do {
    hlo::SliceDim& dim = slice->emplace_back();
    if (!cursor.Expect('[') || !cursor.Int(&dim.start) || !cursor.Expect(':') ||
        !cursor.Int(&dim.limit)) {
      return false;
    }
    if (cursor.TryChar(':') && !cursor.Int(&dim.stride)) return false;
    if (!cursor.Expect(']')) return false;
  } while (cursor.TryChar(','));
  return cursor.Expect('}');
}

// One group of dimension labels: each of `first`, `second` once, and the digits 0… once each.
bool ReadLabels(absl::string_view labels, char first, char second, int64_t* first_at,
                int64_t* second_at, std::vector<int64_t>* spatial) {
  if (labels.size() < 2 || labels.size() > 12) return false;
  *first_at = *second_at = -1;
  spatial->assign(labels.size() - 2, -1);
  for (size_t i = 0; i < labels.size(); ++i) {
    int64_t* at = nullptr;
    if (labels[i] == first) {
      at = first_at;
    } else if (labels[i] == second) {
      at = second_at;
    } else if (labels[i] >= '0' && labels[i] - '0' < static_cast<int64_t>(spatial->size())) {
      at = &(*spatial)[labels[i] - '0'];
    }
    if (at == nullptr || *at >= 0) return false;
    *at = static_cast<int64_t>(i);
  }
  return true;
}

bool ReadConvDims(Cursor& cursor, hlo::ConvDims* dims) {
  size_t place = cursor.Offset();
  absl::string_view text;
  if (!cursor.Compact(&text, "dimension labels")) return false;
  size_t under = text.find('_');
  size_t arrow = text.find("->");
  bool valid =
      under != absl::string_view::npos && arrow != absl::string_view::npos && under < arrow;
  valid =
      valid &&
      ReadLabels(text.substr(0, under), 'b', 'f', &dims->input_batch, &dims->input_feature,
                 &dims->input_spatial) &&
      ReadLabels(text.substr(under + 1, arrow - under - 1), 'o', 'i', &dims->kernel_output_feature,
                 &dims->kernel_input_feature, &dims->kernel_spatial) &&
      ReadLabels(text.substr(arrow + 2), 'b', 'f', &dims->output_batch, &dims->output_feature,
                 &dims->output_spatial) &&
      dims->input_spatial.size() == dims->kernel_spatial.size() &&
      dims->input_spatial.size() == dims->output_spatial.size();
  return valid ||
         cursor.Fail(place, absl::StrCat("'", text, "' are no labels like b01f_01io->b01f"));
}

bool ReadRaw(Cursor& cursor, std::string* value) {
  if (cursor.Peek() == '"') return cursor.String(value);
  absl::string_view text;
  if (!cursor.Braces(&text)) return false;
  value->assign(text.data(), text.size());
  return true;
}

bool ReadBool(Cursor& cursor, bool* value) {
  *value = cursor.TryWord("true");
  return *value || cursor.TryWord("false") || cursor.Fail("expected true or false");
}

bool ReadFloat(Cursor& cursor, double* value) {
  size_t place = cursor.Offset();
  absl::string_view text = cursor.NumberText();
  return absl::SimpleAtod(text, value) || cursor.Fail(place, "expected a number");
}

}  // namespace

std::optional<hlo::Attr> AttrFromName(absl::string_view name) {
#define HALYARD_CASE(enumerator, text, kind) \
  if (name == text) return hlo::Attr::enumerator;
  HALYARD_ATTRIBUTES(HALYARD_CASE)
#undef HALYARD_CASE
  return std::nullopt;
}

bool ReadAttrValue(Cursor& cursor, AttrKind kind, AttrValue* value) {
  switch (kind) {
    case AttrKind::kBool:
      return ReadBool(cursor, &value->emplace<bool>());
    case AttrKind::kInt:
      return cursor.Int(&value->emplace<int64_t>());
    case AttrKind::kFloat:
      return ReadFloat(cursor, &value->emplace<double>());
    case AttrKind::kWord:
      return cursor.Name(&value->emplace<std::string>(), "a word");
    case AttrKind::kString:
      return cursor.String(&value->emplace<std::string>());
    case AttrKind::kInts:
      return ReadInts(cursor, &value->emplace<hlo::Ints>());
    case AttrKind::kIntLists:
      return ReadIntLists(cursor, &value->emplace<hlo::IntLists>());
    case AttrKind::kWords:
      return ReadWords(cursor, &value->emplace<hlo::Words>());
    case AttrKind::kWindow:
      return ReadWindow(cursor, &value->emplace<hlo::Window>());
    case AttrKind::kPadding:
      return ReadPadding(cursor, &value->emplace<hlo::PaddingConfig>());
    case AttrKind::kSlice:
      return ReadSlice(cursor, &value->emplace<hlo::SliceDims>());
    case AttrKind::kConvDims:
      return ReadConvDims(cursor, &value->emplace<hlo::ConvDims>());
    case AttrKind::kRaw:
      return ReadRaw(cursor, &value->emplace<std::string>());
  }
  return cursor.Fail("attribute of unknown kind");
}

}  // namespace halyard::hlo_text
