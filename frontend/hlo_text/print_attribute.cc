#include <algorithm>
#include <charconv>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo_text/attribute_text.h"

namespace halyard::hlo_text {
namespace {

using hlo::AttrKind;
using hlo::AttrValue;

std::string IntsText(const hlo::Ints& ints) {
  return absl::StrCat("{", absl::StrJoin(ints, ","), "}");
}

// Prints one field of a window for all dimensions, or nothing if every dimension has the default.
template <typename IsDefault, typename Text>
void AppendField(const hlo::Window& window, absl::string_view name, IsDefault is_default, Text text,
                 std::string* out) {
  if (std::all_of(window.dims.begin(), window.dims.end(), is_default)) return;
  auto append = [&](std::string* to, const hlo::WindowDim& dim) { absl::StrAppend(to, text(dim)); };
  absl::StrAppend(out, out->size() > 1 ? " " : "", name, "=",
                  absl::StrJoin(window.dims, "x", append));
}

std::string WindowText(const hlo::Window& window) {
  using Dim = hlo::WindowDim;
  std::string out = "{";
  if (!window.dims.empty()) {
    AppendField(
        window, "size", [](const Dim&) { return false; },
        [](const Dim& d) { return absl::StrCat(d.size); }, &out);
    AppendField(
        window, "stride", [](const Dim& d) { return d.stride == 1; },
        [](const Dim& d) { return absl::StrCat(d.stride); }, &out);
    AppendField(
        window, "pad", [](const Dim& d) { return d.pad_low == 0 && d.pad_high == 0; },
        [](const Dim& d) { return absl::StrCat(d.pad_low, "_", d.pad_high); }, &out);
    AppendField(
        window, "lhs_dilate", [](const Dim& d) { return d.base_dilation == 1; },
        [](const Dim& d) { return absl::StrCat(d.base_dilation); }, &out);
    AppendField(
        window, "rhs_dilate", [](const Dim& d) { return d.window_dilation == 1; },
        [](const Dim& d) { return absl::StrCat(d.window_dilation); }, &out);
    AppendField(
        window, "rhs_reversal", [](const Dim& d) { return !d.reversal; },
        [](const Dim& d) { return d.reversal ? "1" : "0"; }, &out);
  }
  return out + "}";
}

std::string PaddingText(const hlo::PaddingConfig& padding) {
  bool interior = std::any_of(padding.begin(), padding.end(),
                              [](const hlo::PaddingDim& dim) { return dim.interior != 0; });
  return absl::StrJoin(padding, "x", [&](std::string* out, const hlo::PaddingDim& dim) {
    absl::StrAppend(out, dim.low, "_", dim.high);
    if (interior) absl::StrAppend(out, "_", dim.interior);
  });
}

std::string SliceText(const hlo::SliceDims& slice) {
  auto append = [](std::string* out, const hlo::SliceDim& dim) {
    absl::StrAppend(out, "[", dim.start, ":", dim.limit);
    if (dim.stride != 1) absl::StrAppend(out, ":", dim.stride);
    absl::StrAppend(out, "]");
  };
  return absl::StrCat("{", absl::StrJoin(slice, ", ", append), "}");
}

std::string Labels(char first, int64_t first_at, char second, int64_t second_at,
                   const std::vector<int64_t>& spatial) {
  std::string text(spatial.size() + 2, '?');
  auto put = [&](int64_t at, char label) {
    if (at >= 0 && at < static_cast<int64_t>(text.size())) text[at] = label;
  };
  put(first_at, first);
  put(second_at, second);
  for (size_t i = 0; i < spatial.size(); ++i) put(spatial[i], static_cast<char>('0' + i));
  return text;
}

std::string ConvDimsText(const hlo::ConvDims& d) {
  return absl::StrCat(
      Labels('b', d.input_batch, 'f', d.input_feature, d.input_spatial), "_",
      Labels('o', d.kernel_output_feature, 'i', d.kernel_input_feature, d.kernel_spatial), "->",
      Labels('b', d.output_batch, 'f', d.output_feature, d.output_spatial));
}

std::string FloatText(double value) {
  char buffer[40];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr);
}

// Returns whether the reader would take all of `text` as it is.
bool IsBalanced(absl::string_view text) {
  if (text.empty() || text[0] != '{') return false;
  Cursor cursor(text, "");
  absl::string_view braces;
  return cursor.Braces(&braces) && braces.size() == text.size();
}

}  // namespace

std::string Quoted(absl::string_view text) {
  // UTF-8 stays readable; control characters, quotes and backslashes are escaped.
  return absl::StrCat("\"", absl::Utf8SafeCEscape(text), "\"");
}

std::string AttrValueText(AttrKind kind, const AttrValue& value) {
  switch (kind) {
    case AttrKind::kBool:
      return std::get<bool>(value) ? "true" : "false";
    case AttrKind::kInt:
      return absl::StrCat(std::get<int64_t>(value));
    case AttrKind::kFloat:
      return FloatText(std::get<double>(value));
    case AttrKind::kWord:
      return std::get<std::string>(value);
    case AttrKind::kString:
      return Quoted(std::get<std::string>(value));
    case AttrKind::kInts:
      return IntsText(std::get<hlo::Ints>(value));
    case AttrKind::kIntLists: {
      auto append = [](std::string* out, const hlo::Ints& ints) { out->append(IntsText(ints)); };
      return absl::StrCat("{", absl::StrJoin(std::get<hlo::IntLists>(value), ",", append), "}");
    }
    case AttrKind::kWords:
      return absl::StrCat("{", absl::StrJoin(std::get<hlo::Words>(value), ","), "}");
    case AttrKind::kWindow:
      return WindowText(std::get<hlo::Window>(value));
    case AttrKind::kPadding:
      return PaddingText(std::get<hlo::PaddingConfig>(value));
    case AttrKind::kSlice:
      return SliceText(std::get<hlo::SliceDims>(value));
    case AttrKind::kConvDims:
      return ConvDimsText(std::get<hlo::ConvDims>(value));
    case AttrKind::kRaw: {
      const std::string& text = std::get<std::string>(value);
      return IsBalanced(text) ? text : Quoted(text);
    }
  }
  return "";
}

}  // namespace halyard::hlo_text
