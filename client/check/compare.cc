// Checks that values are what a check op expects.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/arrays/npy.h"
#include "client/check/ops.h"
#include "frontend/files/read_file.h"

namespace halyard::check {
namespace {

using hlo::ElementType;
using hlo::Literal;

constexpr uint64_t kFarApart = std::numeric_limits<uint64_t>::max();

// A float's value, and the bits that hold it.
struct Float {
  double value = 0;
  uint64_t bits = 0;
};

// Returns element `index`, or a part of it (0: real, 1: imaginary).
Float PartOf(const Literal& literal, int64_t index, int part) {
  const ElementType type = literal.shape().element_type();
  if (!hlo::IsComplex(type)) return {literal.GetFloat(index), literal.GetBits(index)};
  const std::complex<double> value = literal.GetComplex(index);
  Float result{part == 0 ? value.real() : value.imag(), 0};
  const int64_t bytes = hlo::StorageBytes(hlo::PartType(type));
  std::memcpy(&result.bits, literal.bytes().data() + (2 * index + part) * bytes,
              static_cast<size_t>(bytes));
  return result;
}

// Counts the floats between the two, including one of them (CheckOps.td).
uint64_t UlpDifference(ElementType type, const Float& a, const Float& b) {
  if (a.bits == b.bits || (std::isnan(a.value) && std::isnan(b.value))) return 0;
  if (!std::isfinite(a.value) || !std::isfinite(b.value)) return kFarApart;
  const uint64_t sign = hlo::FormatOf(type).has_sign ? uint64_t{1} << (hlo::BitWidth(type) - 1) : 0;
  const uint64_t x = a.bits & ~sign, y = b.bits & ~sign;
  if ((a.bits & sign) != (b.bits & sign)) return x + y;
  return x > y ? x - y : y - x;
}

// Parts of complex numbers are compared whatever their signs. A part may be what cancellation
// leaves, small against the other part, and its sign then says nothing if it is next to 0.
bool AlmostEqual(const Float& a, const Float& b, bool is_part, double tolerance) {
  if (a.value == b.value || (std::isnan(a.value) && std::isnan(b.value))) return true;
  return std::isfinite(a.value) && std::isfinite(b.value) &&
         (is_part || std::signbit(a.value) == std::signbit(b.value)) &&
         std::abs(a.value - b.value) <= tolerance;
}

// `type` is the type of the element. The two values are the whole element or a part of it.
bool PartIsExpected(const Expectation& expectation, ElementType type, const Float& actual,
                    const Float& expected, uint64_t* ulps) {
  switch (expectation.kind) {
    case Expectation::Kind::kAlmostEq:
      return AlmostEqual(actual, expected, hlo::IsComplex(type), expectation.tolerance);
    case Expectation::Kind::kClose:
      *ulps = std::max(*ulps, UlpDifference(hlo::PartType(type), actual, expected));
      return true;  // the larger of the parts' differences decides
    case Expectation::Kind::kEq:
    case Expectation::Kind::kSerializedEq:
      return actual.value == expected.value;
  }
  return false;
}

bool ElementIsExpected(const Expectation& expectation, const Literal& actual,
                       const Literal& expected, int64_t i) {
  const ElementType type = actual.shape().element_type();
  const int64_t j = expectation.splat ? 0 : i;
  if (!hlo::IsFloat(type) && !hlo::IsComplex(type)) return actual.GetBits(i) == expected.GetBits(j);
  uint64_t ulps = 0;
  for (int part = 0; part < (hlo::IsComplex(type) ? 2 : 1); ++part) {
    if (!PartIsExpected(expectation, type, PartOf(actual, i, part), PartOf(expected, j, part),
                        &ulps)) {
      return false;
    }
  }
  return expectation.kind != Expectation::Kind::kClose ||
         (ulps >= expectation.min_ulp && ulps <= expectation.max_ulp);
}

std::string IndexText(const hlo::Shape& shape, int64_t index) {
  std::vector<int64_t> places(static_cast<size_t>(shape.rank()));
  for (size_t d = places.size(); d-- > 0;) {
    const int64_t size = shape.dim(static_cast<int64_t>(d));
    places[d] = index % size;
    index /= size;
  }
  return absl::StrCat("[", absl::StrJoin(places, ", "), "]");
}

std::string ElementText(const Literal& literal, int64_t index) {
  Literal one(hlo::Shape::Scalar(literal.shape().element_type()));
  one.CopyElement(0, literal, index);
  return one.ToString();
}

std::string Wanted(const Expectation& expectation) {
  switch (expectation.kind) {
    case Expectation::Kind::kAlmostEq:
      return absl::StrCat(" within ", expectation.tolerance);
    case Expectation::Kind::kClose:
      return absl::StrCat(" within ",
                          expectation.min_ulp == 0 ? "" : absl::StrCat(expectation.min_ulp, " to "),
                          expectation.max_ulp, " steps");
    default:
      return "";
  }
}

absl::Status Mismatch(const Expectation& expectation, absl::string_view what) {
  return absl::FailedPreconditionError(
      absl::StrCat(expectation.place, ": ", expectation.name, ": ", what));
}

// Returns the line of index.csv about the expectation's probe: its type and file.
absl::StatusOr<std::pair<std::string, std::string>> FindProbe(const Expectation& expectation,
                                                              const std::string& folder) {
  const std::string index = absl::StrCat(folder, "/index.csv");
  const absl::StatusOr<std::string> text = ReadWholeFile(index, kTextLimits);
  if (!text.ok()) return Mismatch(expectation, text.status().message());
  int64_t left = expectation.iteration;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
    absl::string_view rest = absl::StripAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&rest, absl::StrCat(expectation.probe, ","))) continue;
    if (left-- > 0) continue;
    const size_t comma = rest.rfind(',');
    if (comma == absl::string_view::npos) {
      return Mismatch(expectation, absl::StrCat(index, ": expected \"probe,type,file\": ", line));
    }
    return std::pair(std::string(rest.substr(0, comma)), std::string(rest.substr(comma + 1)));
  }
  return Mismatch(expectation, absl::StrCat(index, " has no ", expectation.iteration + 1,
                                            ". array of probe ", expectation.probe));
}

}  // namespace

absl::Status Compare(const Expectation& expectation, const Literal& actual,
                     const Literal& expected) {
  const hlo::Shape& shape = actual.shape();
  const hlo::Shape wanted =
      expectation.splat ? hlo::Shape::Array(expected.shape().element_type(), expectation.dims)
                        : expected.shape();
  if (shape.element_type() != wanted.element_type() || shape.dims() != wanted.dims()) {
    return Mismatch(expectation, absl::StrCat("the value is ", shape.ToString(), ", expected ",
                                              wanted.ToString()));
  }
  int64_t wrong = 0, first = 0;
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    if (ElementIsExpected(expectation, actual, expected, i)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return absl::OkStatus();
  return Mismatch(
      expectation,
      absl::StrCat("element ", IndexText(shape, first), " is ", ElementText(actual, first),
                   ", expected ", ElementText(expected, expectation.splat ? 0 : first),
                   Wanted(expectation), " (", wrong, " of ", shape.NumElements(), " are wrong)"));
}

absl::StatusOr<Literal> ReadSerialized(const Expectation& expectation, const std::string& folder) {
  if (folder.empty()) {
    return Mismatch(expectation, "there are no saved arrays: name their folder with --data=DIR");
  }
  auto probe = FindProbe(expectation, folder);
  if (!probe.ok()) return probe.status();
  const auto& [type, file] = *probe;
  if (type != expectation.type) {
    return Mismatch(expectation,
                    absl::StrCat("the value is ", expectation.type, ", the saved array ", type));
  }
  // Files that another machine wrote are also looked for in the folder itself.
  std::filesystem::path path = std::filesystem::path(folder) / file;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    path = std::filesystem::path(folder) / std::filesystem::path(file).filename();
  }
  const absl::StatusOr<std::string> file_bytes = ReadWholeFile(path.string(), kOwnFileLimits);
  if (!file_bytes.ok()) return Mismatch(expectation, file_bytes.status().message());
  const std::string& bytes = *file_bytes;
  auto fail = [&](const absl::Status& status) {
    return Mismatch(expectation, absl::StrCat(path.string(), ": ", status.message()));
  };
  absl::StatusOr<NpyHeader> header = ParseNpyHeader(bytes);
  if (!header.ok()) return fail(header.status());
  if (header->data_bytes > static_cast<int64_t>(bytes.size()) - header->data_offset) {
    return fail(absl::InvalidArgumentError("the file is cut off"));
  }
  // NumPy has no name for some types, so the program's type says how the bytes are read.
  absl::string_view element = expectation.type;
  absl::ConsumePrefix(&element, "tensor<");
  absl::ConsumeSuffix(&element, ">");
  while (!element.empty() && absl::ascii_isdigit(element[0])) {
    const size_t x = element.find('x');
    if (x == absl::string_view::npos) break;
    element.remove_prefix(x + 1);
  }
  const std::optional<ElementType> wanted = hlo::ElementTypeFromMlirName(element);
  if (!wanted.has_value()) {
    return fail(absl::UnimplementedError(absl::StrCat("arrays of ", element)));
  }
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data()) + header->data_offset;
  absl::StatusOr<Literal> literal =
      NpyToLiteral(*header, *wanted, std::vector<std::byte>(data, data + header->data_bytes));
  if (!literal.ok()) return fail(literal.status());
  return literal;
}

}  // namespace halyard::check
