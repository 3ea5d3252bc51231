#include "tools/halyard/arrays.h"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/arrays/npz.h"
#include "frontend/hlo/infer/infer.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard::tools {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). Its state
// is a counter, so that any part of a sequence can be made without the one before.
constexpr uint64_t kRandomStep = 0x9e3779b97f4a7c15;

uint64_t NextRandom(uint64_t* state) {
  uint64_t z = (*state += kRandomStep);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double NextUnit(uint64_t* state) {
  return static_cast<double>(NextRandom(state) >> 11) * 0x1p-52 - 1.0;
}

// Makes the elements from `begin` to before `end` of an array.
void MakeRandomElements(uint64_t seed, int64_t begin, int64_t end, Literal* value) {
  const ElementType type = value->shape().element_type();
  const uint64_t numbers = hlo::IsComplex(type) ? 2 : 1;  // of an element
  uint64_t state = seed + static_cast<uint64_t>(begin) * numbers * kRandomStep;
  for (int64_t i = begin; i < end; ++i) {
    if (hlo::IsComplex(type)) {
      const double real = NextUnit(&state);
      value->SetComplex(i, {real, NextUnit(&state)});
    } else if (hlo::IsFloat(type)) {
      value->SetFloat(i, NextUnit(&state));
    } else {
      const int bits = std::min(3, hlo::BitWidth(type) - (hlo::IsSigned(type) ? 1 : 0));
      value->SetInt(i, static_cast<int64_t>(NextRandom(&state) >> (64 - bits)));
    }
  }
}

// The elements are the same for any number of threads.
Literal RandomArray(uint64_t seed, const Shape& shape) {
  Literal value(shape.WithDefaultLayout());
  constexpr int64_t kPart = 1 << 18;  // elements; whole bytes of every type
  const int64_t elements = shape.NumElements();
  const int64_t most = std::max<int64_t>(1, std::thread::hardware_concurrency());
  const int64_t threads = std::clamp<int64_t>(elements / kPart, 1, most);
  const int64_t each = (elements / threads + kPart - 1) / kPart * kPart;
  if (threads == 1) {
    MakeRandomElements(seed, 0, elements, &value);
    return value;
  }
  value.mutable_bytes();  // from here on, nobody else holds them
  std::vector<std::thread> workers;
  for (int64_t begin = 0; begin < elements; begin += each) {
    const int64_t end = std::min(elements, begin + each);
    workers.emplace_back([=, &value] { MakeRandomElements(seed, begin, end, &value); });
  }
  for (std::thread& worker : workers) worker.join();
  return value;
}

std::string ListOfParameters(absl::Span<const Shape> shapes) {
  std::vector<std::string> parts;
  constexpr size_t kMost = 4;
  for (size_t i = 0; i < shapes.size() && i < kMost; ++i) {
    parts.push_back(absl::StrCat("arg", i, ": ", shapes[i].ToString()));
  }
  if (shapes.size() > kMost) parts.push_back("...");
  return absl::StrJoin(parts, ", ");
}

// Returns N of "argN" or "outN", or -1 for other names.
int64_t NumberOf(absl::string_view name, absl::string_view prefix) {
  int64_t number = -1;
  if (!absl::StartsWith(name, prefix)) return -1;
  const absl::string_view digits = name.substr(prefix.size());
  if (digits.empty() || digits.find_first_not_of("0123456789") != absl::string_view::npos ||
      !absl::SimpleAtoi(digits, &number)) {
    return -1;
  }
  return number;
}

// Checks that array `name` of `path` is one of `shapes`, and has that shape.
absl::StatusOr<bool> IsWanted(const std::string& path, absl::string_view prefix,
                              absl::string_view what, absl::Span<const Shape> shapes,
                              const std::string& name, const Shape& given) {
  const int64_t number = NumberOf(name, prefix);
  if (number >= static_cast<int64_t>(shapes.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": there is an array ", name, ", but the program has ", shapes.size(),
                     " ", what, shapes.size() == 1 ? "" : "s",
                     shapes.empty() ? std::string()
                                    : absl::StrCat(", the last is ", prefix, shapes.size() - 1)));
  }
  // "arg01" is a different name from "arg1".
  if (number < 0 || name != absl::StrCat(prefix, number)) return false;
  const Shape& wanted = shapes[static_cast<size_t>(number)];
  if (!wanted.IsArray() || hlo::ShapesAgree(given, wanted)) return wanted.IsArray();
  const bool type = given.dims() == wanted.dims();
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": ", name, " has the wrong ", type ? "type" : "shape", ": it is ", given.ToString(),
      ", the program's ", what, " is ", wanted.WithDefaultLayout().ToString()));
}

// Returns the values of the arrays called prefixN, checked against `shapes[N]`.
absl::StatusOr<std::vector<Literal>> ReadArrays(const std::string& path, absl::string_view prefix,
                                                absl::string_view what,
                                                absl::Span<const Shape> shapes) {
  absl::StatusOr<std::map<std::string, Literal>> arrays =
      ReadNpz(path, [&](const std::string& name, const Shape& given) {
        return IsWanted(path, prefix, what, shapes, name, given);
      });
  if (!arrays.ok()) return arrays.status();
  std::vector<Literal> values;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].IsArray()) {
      values.push_back(Literal::Token());
      continue;
    }
    const std::string name = absl::StrCat(prefix, i);
    auto found = arrays->find(name);
    if (found == arrays->end()) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": there is no array ", name,
                                                     "; the program's ", what, " is ",
                                                     shapes[i].ToString()));
    }
    values.push_back(std::move(found->second));
  }
  return values;
}

struct Rounding {
  double of_element, of_largest, always;
};

Rounding RoundingOf(ElementType type) {
  switch (type) {
    case ElementType::kF64:
    case ElementType::kC128:
      return {1e-12, 1e-13, 1e-14};
    case ElementType::kF32:
    case ElementType::kC64:
      return {1e-5, 2e-6, 1e-7};
    default:
      break;
  }
  if (!hlo::IsFloat(type)) return {0, 0, 0};
  // One rounding is half a unit in the last place of the narrow type; this allows a few.
  const double ulp = 1.0 / static_cast<double>(int64_t{1} << hlo::FormatOf(type).mantissa_bits);
  return {2 * ulp, ulp / 2, 1e-7};
}

}  // namespace

absl::StatusOr<std::vector<Shape>> ParseArgumentShapes(const std::string& text) {
  std::vector<Shape> shapes;
  if (text.empty()) return shapes;
  for (absl::string_view part : absl::StrSplit(text, ';')) {
    hlo_text::Cursor cursor(part, "--arg-shapes");
    Shape shape;
    if (!hlo_text::ReadShape(cursor, &shape)) return cursor.status();
    if (!cursor.AtEnd() || !shape.IsArray() || shape.IsDynamic()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--arg-shapes: ", part, " is not the shape of an array, like f32[4,8]"));
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

absl::StatusOr<std::vector<Literal>> ReadArguments(const InputOptions& options,
                                                   const std::string& program,
                                                   absl::Span<const Shape> shapes) {
  if (!options.file.empty()) return ReadArrays(options.file, "arg", "parameter", shapes);
  if (!options.seed.has_value() && !shapes.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(program, " has ", shapes.size(), " parameter", shapes.size() == 1 ? "" : "s",
                     " (", ListOfParameters(shapes),
                     "): give their values with --inputs=FILE.npz, or --random-inputs=SEED"));
  }
  std::vector<Literal> values;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].IsArray()) {
      values.push_back(Literal::Token());
      continue;
    }
    if (shapes[i].IsDynamic()) {
      return absl::InvalidArgumentError(
          absl::StrCat(program, ": arg", i, " is ", shapes[i].ToString(),
                       ": say which shapes the arguments have with --arg-shapes, as in "
                       "--arg-shapes=\"f32[4,8];s32[2]\""));
    }
    uint64_t state = *options.seed + i;
    values.push_back(RandomArray(NextRandom(&state), shapes[i]));
  }
  return values;
}

absl::StatusOr<std::vector<std::vector<Literal>>> ReadGridArguments(const InputOptions& options,
                                                                    const std::string& program,
                                                                    absl::Span<const Shape> shapes,
                                                                    int64_t processes) {
  bool own = false;
  if (!options.file.empty()) {
    absl::StatusOr<std::map<std::string, Literal>> names =
        ReadNpz(options.file, [&](const std::string& name, const Shape&) -> absl::StatusOr<bool> {
          own = own || absl::StartsWith(name, "process");
          return false;
        });
    if (!names.ok()) return names.status();
  }
  std::vector<std::vector<Literal>> lists;
  for (int64_t p = 0; p < (own ? processes : 1); ++p) {
    absl::StatusOr<std::vector<Literal>> list =
        own ? ReadArrays(options.file, absl::StrCat("process", p, ".arg"), "parameter", shapes)
            : ReadArguments(options, program, shapes);
    if (!list.ok()) return list.status();
    lists.push_back(*std::move(list));
  }
  return lists;
}

absl::Status WriteResults(const std::string& path, const std::vector<Literal>& results) {
  std::vector<std::pair<std::string, Literal>> arrays;
  for (size_t i = 0; i < results.size(); ++i) {
    if (results[i].shape().IsArray()) arrays.emplace_back(absl::StrCat("out", i), results[i]);
  }
  return WriteNpz(path, arrays);
}

std::string Summary(const std::string& name, const Literal& value, int64_t max_values) {
  const Shape& shape = value.shape();
  std::string text = absl::StrCat(name, ": ", shape.WithDefaultLayout().ToString());
  if (!shape.IsArray()) return text;
  const int64_t count = std::min(shape.NumElements(), max_values);
  Literal first(Shape::Array(shape.element_type(), {count}));
  for (int64_t i = 0; i < count; ++i) first.CopyElement(i, value, i);
  std::string values = first.ToString();
  if (shape.IsScalar() && count == 1) {
    Literal scalar(Shape::Scalar(shape.element_type()));
    scalar.CopyElement(0, value, 0);
    values = scalar.ToString();
  } else if (count < shape.NumElements() && absl::EndsWith(values, "}")) {
    values = absl::StrCat(values.substr(0, values.size() - 1), ", ...}");
  }
  return absl::StrCat(text, " ", values);
}

absl::StatusOr<hlo::Difference> CompareWithin(const Literal& got, const Literal& want,
                                              const Tolerance& tolerance) {
  if (!want.shape().IsArray()) return hlo::Compare(got, want, 0, 0);
  const Rounding rounding = RoundingOf(want.shape().element_type());
  if (tolerance.of_largest) {
    absl::StatusOr<hlo::Difference> exact = hlo::Compare(got, want, 0, 0);
    if (!exact.ok() || exact->within || rounding.of_element == 0) return exact;
    return hlo::Compare(got, want, 0, *tolerance.of_largest * exact->max_want);
  }
  double rtol = tolerance.rtol.value_or(tolerance.atol ? 0 : rounding.of_element);
  double atol = tolerance.atol.value_or(0);
  if (!tolerance.rtol && !tolerance.atol && rounding.of_element > 0) {
    absl::StatusOr<hlo::Difference> exact = hlo::Compare(got, want, 0, 0);
    if (!exact.ok() || exact->within) return exact;
    atol = rounding.of_largest * exact->max_want + rounding.always;
  }
  return hlo::Compare(got, want, rtol, atol);
}

std::string Describe(const hlo::Difference& d, const Shape& shape) {
  std::string text =
      absl::StrFormat("largest difference %.3g (largest value %.3g)", d.max_abs, d.max_want);
  if (d.within) return text;
  std::vector<int64_t> position(shape.rank());
  int64_t rest = d.index;
  for (int64_t i = shape.rank() - 1; i >= 0; --i) {
    position[i] = rest % shape.dim(i);
    rest /= shape.dim(i);
  }
  absl::StrAppendFormat(&text,
                        "; %d of %d elements are outside the tolerance, the worst at [%s]: "
                        "%.9g, not %.9g",
                        d.count, shape.NumElements(), absl::StrJoin(position, ","), d.got, d.want);
  return text;
}

absl::StatusOr<bool> CompareWithFile(const std::vector<Literal>& results, const std::string& path,
                                     const Tolerance& tolerance, std::string* report) {
  std::vector<Shape> shapes;
  for (const Literal& result : results) shapes.push_back(result.shape());
  absl::StatusOr<std::vector<Literal>> wanted = ReadArrays(path, "out", "result", shapes);
  if (!wanted.ok()) return wanted.status();
  bool good = true;
  for (size_t i = 0; i < results.size(); ++i) {
    absl::StatusOr<hlo::Difference> d = CompareWithin(results[i], (*wanted)[i], tolerance);
    if (!d.ok()) return d.status();
    good = good && d->within;
    absl::StrAppend(report, "out", i, ": ", d->within ? "as expected, " : "NOT as expected, ",
                    Describe(*d, shapes[i]), "\n");
  }
  return good;
}

}  // namespace halyard::tools
