#include "tests/vectors/vector_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "frontend/hlo_text/read_literal.h"
#include "frontend/hlo_text/read_shape.h"

namespace halyard {
namespace {

using hlo::Literal;
using hlo::Shape;

std::string ClassName(hlo::ElementType type) {
  switch (hlo::ClassOf(type)) {
    case hlo::ElementClass::kBool:
      return "B";
    case hlo::ElementClass::kSigned:
      return "SI";
    case hlo::ElementClass::kUnsigned:
      return "UI";
    case hlo::ElementClass::kFloat:
      return "F";
    case hlo::ElementClass::kComplex:
      return "C";
  }
  return "";
}

// Reads "f32[2] {1, 2}". A single value stands for all elements of an array.
absl::StatusOr<Literal> ReadValue(absl::string_view text, absl::string_view place) {
  hlo_text::Cursor cursor(text, place);
  Shape shape;
  Literal literal;
  if (!hlo_text::ReadShape(cursor, &shape)) return cursor.status();
  bool splat = shape.IsArray() && shape.rank() > 0 && cursor.Peek() != '{';
  Shape written = splat ? Shape::Scalar(shape.element_type()) : shape;
  if (!hlo_text::ReadLiteral(cursor, written, &literal)) return cursor.status();
  if (!cursor.AtEnd()) return absl::InvalidArgumentError(absl::StrCat(place, ": text after value"));
  return splat ? Literal::Splat(shape, literal) : literal;
}

// A section as it is written.
struct Draft {
  Vector vector;
  std::vector<std::string> types;
  std::vector<std::pair<bool, std::string>> values;  // (expected, text)
};

absl::StatusOr<Vector> Finish(const Draft& draft, absl::string_view type) {
  Vector vector = draft.vector;
  std::string mlir;
  if (!type.empty()) {
    auto element = hlo::ElementTypeFromHloName(type);
    if (!element) return absl::InvalidArgumentError(absl::StrCat("no element type ", type));
    mlir = std::string(hlo::MlirName(*element));
    vector.place += absl::StrCat(" ", type);
  }
  auto fill = [&](absl::string_view text, absl::string_view with) {
    return absl::StrReplaceAll(text, {{"ELT", with}});
  };
  vector.program = fill(vector.program, mlir);
  for (const auto& [expected, text] : draft.values) {
    auto value = ReadValue(fill(text, type), vector.place);
    if (!value.ok()) return value.status();
    (expected ? vector.expected : vector.inputs).push_back(*value);
  }
  if (vector.expected.empty()) return absl::InvalidArgumentError("nothing is expected");
  const Literal& first = vector.inputs.empty() ? vector.expected[0] : vector.inputs[0];
  hlo::ElementType element = hlo::FlattenShape(first.shape())[0].element_type();
  if (!type.empty()) element = *hlo::ElementTypeFromHloName(type);
  vector.type = std::string(hlo::HloName(element));
  if (vector.element_class.empty()) vector.element_class = ClassName(element);
  return vector;
}

std::vector<std::string> Words(absl::string_view text) { return absl::StrSplit(text, ' '); }

// Reads a directive of a section. Returns false if the line is not one.
absl::StatusOr<bool> Directive(absl::string_view line, Draft* draft) {
  if (!absl::ConsumePrefix(&line, "// ")) return false;
  std::vector<std::string> sides = absl::StrSplit(line, absl::MaxSplits(": ", 1));
  if (line == "alone") draft->vector.alone = true;
  if (sides.size() != 2) return line == "alone";
  absl::string_view value = absl::StripAsciiWhitespace(sides[1]);
  const std::string& key = sides[0];
  Vector& vector = draft->vector;
  if (key == "vector") {
    vector.id = std::string(value);
  } else if (key == "ops") {
    vector.ops = Words(value);
  } else if (key == "class") {
    vector.element_class = std::string(value);
  } else if (key == "types") {
    draft->types = Words(value);
  } else if (key == "input" || key == "expect") {
    draft->values.emplace_back(key == "expect", value);
  } else if (key == "replicas") {
    if (!absl::SimpleAtoi(value, &vector.replicas)) return absl::InvalidArgumentError("no number");
  } else if (key == "rtol" || key == "atol") {
    if (!absl::SimpleAtod(value, key == "rtol" ? &vector.rtol : &vector.atol)) {
      return absl::InvalidArgumentError("no number");
    }
  } else if (absl::string_view target = key; absl::ConsumePrefix(&target, "not on ")) {
    vector.skip[std::string(target)] = std::string(value);
  } else {
    return absl::InvalidArgumentError(absl::StrCat("unknown directive ", key));
  }
  return true;
}

}  // namespace

absl::StatusOr<std::vector<Vector>> ReadVectors(const std::string& path) {
  std::string file = std::filesystem::path(path).filename();
  std::ifstream in(path);
  std::vector<Draft> drafts(1);
  std::string line;
  int number = 0;
  auto fail = [&](const absl::Status& status) {
    return absl::InvalidArgumentError(absl::StrCat(file, ":", number, ": ", status.message()));
  };
  while (std::getline(in, line)) {
    ++number;
    if (line == "// -----") {
      drafts.emplace_back();
      continue;
    }
    Draft& draft = drafts.back();
    auto directive = Directive(line, &draft);
    if (!directive.ok()) return fail(directive.status());
    if (*directive) {
      if (draft.vector.place.empty()) draft.vector.place = absl::StrCat(file, ":", number);
    } else {
      absl::StrAppend(&draft.vector.program, line, "\n");
    }
  }
  std::vector<Vector> vectors;
  for (Draft& draft : drafts) {
    if (draft.vector.id.empty()) return absl::InvalidArgumentError(file + ": a section has no id");
    if (draft.types.empty()) draft.types.push_back("");
    for (const std::string& type : draft.types) {
      auto vector = Finish(draft, type);
      if (!vector.ok()) return fail(vector.status());
      vectors.push_back(*std::move(vector));
    }
  }
  return vectors;
}

std::string MlirType(const Shape& shape) {
  if (shape.IsToken()) return "!stablehlo.token";
  if (shape.IsTuple()) {
    return absl::StrCat("tuple<",
                        absl::StrJoin(shape.elements(), ", ",
                                      [](std::string* out, const Shape& element) {
                                        absl::StrAppend(out, MlirType(element));
                                      }),
                        ">");
  }
  std::string text = "tensor<";
  for (int64_t dim : shape.dims()) absl::StrAppend(&text, dim, "x");
  return absl::StrCat(text, hlo::MlirName(shape.element_type()), ">");
}

std::string MergedProgram(const std::vector<const Vector*>& vectors) {
  std::string functions, parameters, body;
  std::vector<std::string> results, types;
  int number = 0;
  for (size_t v = 0; v < vectors.size(); ++v) {
    const Vector& vector = *vectors[v];
    std::string prefix = absl::StrCat("@v", v, "_");
    absl::StrAppend(&functions, absl::StrReplaceAll(vector.program, {{"@", prefix}}), "\n");
    std::vector<std::string> names, inputs, outputs;
    for (const Literal& input : vector.inputs) {
      names.push_back(absl::StrCat("%p", number++));
      inputs.push_back(MlirType(input.shape()));
      absl::StrAppend(&parameters, parameters.empty() ? "" : ", ", names.back(), ": ",
                      inputs.back());
    }
    for (size_t i = 0; i < vector.expected.size(); ++i) {
      outputs.push_back(MlirType(vector.expected[i].shape()));
      types.push_back(outputs.back());
      results.push_back(vector.expected.size() == 1 ? absl::StrCat("%r", v)
                                                    : absl::StrCat("%r", v, "#", i));
    }
    absl::StrAppend(&body, "  %r", v,
                    vector.expected.size() == 1 ? "" : absl::StrCat(":", vector.expected.size()),
                    " = \"func.call\"(", absl::StrJoin(names, ", "), ") {callee = ", prefix,
                    "main} : (", absl::StrJoin(inputs, ", "), ") -> (",
                    absl::StrJoin(outputs, ", "), ")\n");
  }
  return absl::StrCat(functions, "func.func @main(", parameters, ") -> (",
                      absl::StrJoin(types, ", "), ") {\n", body, "  return ",
                      absl::StrJoin(results, ", "), " : ", absl::StrJoin(types, ", "), "\n}\n");
}

namespace {

bool SameNumber(double got, double want) {
  if (std::isnan(want)) return std::isnan(got);
  return got == want && std::signbit(got) == std::signbit(want);
}

// Compares exactly: values must be equal, with the signs of zeros. Any NaN matches NaN.
std::string ExactMismatch(const Literal& got, const Literal& want) {
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    hlo::ElementType type = want.shape().element_type();
    bool same = true;
    if (hlo::IsComplex(type)) {
      same = SameNumber(got.GetComplex(i).real(), want.GetComplex(i).real()) &&
             SameNumber(got.GetComplex(i).imag(), want.GetComplex(i).imag());
    } else if (hlo::IsFloat(type)) {
      same = SameNumber(got.GetFloat(i), want.GetFloat(i));
    } else {
      same = got.GetBits(i) == want.GetBits(i);
    }
    if (!same) return absl::StrCat("element ", i, " differs");
  }
  return "";
}

}  // namespace

std::string Mismatch(const Vector& vector, size_t index, const Literal& got) {
  const Literal& want = vector.expected[index];
  std::string what;
  if (!Shape::SameIgnoringLayout(got.shape(), want.shape())) {
    what = "another shape";
  } else if (!want.shape().IsArray()) {
    what = got.ToString() == want.ToString() ? "" : "another value";
  } else if (vector.rtol == 0 && vector.atol == 0) {
    what = ExactMismatch(got, want);
  } else {
    auto difference = hlo::Compare(got, want, vector.rtol, vector.atol);
    if (!difference.ok()) return std::string(difference.status().message());
    if (!difference->within) what = absl::StrCat("element ", difference->index, " differs");
  }
  if (what.empty()) return "";
  return absl::StrCat("result ", index, ": ", what, ": ", got.shape().ToString(), " ",
                      got.ToString(), ", not ", want.shape().ToString(), " ", want.ToString());
}

}  // namespace halyard
