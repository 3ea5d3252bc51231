#include "tests/lowering/plan/sizes/sized_programs.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace halyard::testing {
namespace {

constexpr char kComputations[] = R"(
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }
min { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] minimum(a, b) }
mul { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] multiply(a, b) }
last { a = f32[] parameter(0) ROOT b = f32[] parameter(1) }
addi { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] add(a, b) }
maxi { a = s32[] parameter(0) b = s32[] parameter(1) ROOT r = s32[] maximum(a, b) }
nearer { a = f32[] parameter(0) b = f32[] parameter(1) x = f32[] abs(a) y = f32[] abs(b)
  c = pred[] compare(x, y), direction=LE ROOT r = f32[] select(c, a, b) }
argmax { a = f32[] parameter(0) i = s32[] parameter(1) b = f32[] parameter(2) j = s32[] parameter(3)
  gt = pred[] compare(a, b), direction=GT eq = pred[] compare(a, b), direction=EQ
  lt = pred[] compare(i, j), direction=LT both = pred[] and(eq, lt) keep = pred[] or(gt, both)
  v = f32[] select(keep, a, b) k = s32[] select(keep, i, j) ROOT r = (f32[], s32[]) tuple(v, k) }
less { a = f32[] parameter(0) b = f32[] parameter(1) i = s32[] parameter(2) j = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction=LT }
greater { a = f32[] parameter(0) b = f32[] parameter(1)
  ROOT r = pred[] compare(a, b), direction=GT }
)";

int64_t Product(const std::vector<std::vector<int64_t>>& dims, size_t program) {
  int64_t product = 1;
  for (const auto& dim : dims) product *= dim[program];
  return product;
}

}  // namespace

SizedProgramMaker::SizedProgramMaker(int64_t low, int64_t high, uint32_t seed)
    : count_(static_cast<size_t>(high - low + 1)),
      low_(low),
      random_(seed),
      bodies_(count_),
      loops_(count_) {
  Sizes n;
  for (int64_t size = low; size <= high; ++size) n.push_back(size);
  int parameter = 0;
  const auto add = [&](const char* type, std::vector<Sizes> dims) {
    Add(type, std::move(dims), [&](size_t) { return absl::StrCat("parameter(", parameter, ")"); });
    ++parameter;
  };
  add("f32", {n, Fixed(3)});
  add("f32", {Fixed(2), n});
  add("s32", {n});
  add("f32", {Fixed(3), Fixed(2)});
}

bool SizedProgramMaker::IsFixed(const Sizes& sizes) const {
  return std::all_of(sizes.begin(), sizes.end(), [&](int64_t s) { return s == sizes[0]; });
}

std::string SizedProgramMaker::TypeText(const Value& value, size_t program) const {
  std::vector<int64_t> dims;
  for (const Sizes& sizes : value.dims) dims.push_back(sizes[program]);
  return absl::StrCat(value.type, "[", absl::StrJoin(dims, ","), "]");
}

// Values that are made late, and those of variable sizes, are taken more often.
const SizedProgramMaker::Value& SizedProgramMaker::Any(const std::string& type) {
  for (int tries = 0; tries < 40; ++tries) {
    const Value& value = values_[std::max(Pick(values_.size()), Pick(values_.size()))];
    if (!type.empty() && value.type != type) continue;
    const bool fixed = std::all_of(value.dims.begin(), value.dims.end(),
                                   [&](const Sizes& sizes) { return IsFixed(sizes); });
    if (!fixed || Chance(20)) return value;
  }
  return type == "s32" ? values_[2] : values_[0];
}

SizedProgramMaker::Value SizedProgramMaker::Array(const std::string& type) {
  const Value value = Any(type);
  return value.dims.empty() ? Broadcast(value, {values_[2].dims[0]}, {}) : value;
}

SizedProgramMaker::Value SizedProgramMaker::Scalar(const std::string& type,
                                                   const std::string& text) {
  return Add(type, {}, [&](size_t) { return absl::StrCat("constant(", text, ")"); });
}

SizedProgramMaker::Value SizedProgramMaker::Broadcast(const Value& value, std::vector<Sizes> dims,
                                                      const std::vector<size_t>& places) {
  return Add(value.type, std::move(dims), [&](size_t) {
    return absl::StrCat("broadcast(", value.name, "), dimensions={", absl::StrJoin(places, ","),
                        "}");
  });
}

SizedProgramMaker::Value SizedProgramMaker::Numbered(const Value& value, size_t dim) {
  const Value numbers = Add(value.type, value.dims,
                            [&](size_t) { return absl::StrCat("iota(), iota_dimension=", dim); });
  return Add(value.type, value.dims,
             [&](size_t) { return absl::StrCat("add(", value.name, ", ", numbers.name, ")"); });
}

SizedProgramMaker::Value SizedProgramMaker::AsIndex(const Value& value) {
  const char* const types[] = {"u64", "u64", "s64", "u32", "s8"};
  if (Chance(60)) return value;
  const Value index = Add(types[Pick(std::size(types))], value.dims,
                          [&](size_t) { return absl::StrCat("convert(", value.name, ")"); });
  values_.pop_back();
  return index;
}

std::string SizedProgramMaker::Start(bool wide, int64_t start) {
  if (!wide) return Scalar("s32", absl::StrCat(start)).name;
  const std::string name = Scalar("u64", absl::StrCat(static_cast<uint64_t>(start))).name;
  values_.pop_back();
  return name;
}

void SizedProgramMaker::Elementwise() {
  const Value a = Any();
  std::vector<const Value*> alike;
  for (const Value& value : values_) {
    if (value.type == a.type && value.dims == a.dims) alike.push_back(&value);
  }
  const Value b = *alike[Pick(alike.size())];
  const char* const binary[] = {"add", "subtract", "multiply", "maximum", "minimum"};
  const char* const unary[] = {"negate", "abs", "sign"};
  if (a.type == "pred") {
    Add("s32", a.dims, [&](size_t) { return absl::StrCat("convert(", a.name, ")"); });
  } else if (Chance(50)) {
    const char* op = binary[Pick(5)];
    Add(a.type, a.dims, [&](size_t) { return absl::StrCat(op, "(", a.name, ", ", b.name, ")"); });
  } else if (Chance(40)) {
    const char* op = unary[Pick(3)];
    Add(a.type, a.dims, [&](size_t) { return absl::StrCat(op, "(", a.name, ")"); });
  } else if (Chance(30)) {
    const char* to = a.type == "f32" ? "s32" : "f32";
    Add(to, a.dims, [&](size_t) { return absl::StrCat("convert(", a.name, ")"); });
  } else {
    const Value c = Add("pred", a.dims, [&](size_t) {
      return absl::StrCat("compare(", a.name, ", ", b.name, "), direction=LT");
    });
    Add(a.type, a.dims,
        [&](size_t) { return absl::StrCat("select(", c.name, ", ", a.name, ", ", b.name, ")"); });
  }
}

void SizedProgramMaker::Reduce() {
  const Value a = Array(Chance(75) ? "f32" : "s32");
  const size_t op = Pick(a.type == "f32" ? 5 : 2);
  const char* const names[] = {"add", "max", "nearer", "min", "mul"};
  const char* const ints[] = {"addi", "maxi"};
  const Value init = Scalar(a.type, op == 0 && a.type == "f32" && Chance(50) ? "0" : "2");
  std::vector<Sizes> dims;
  std::vector<size_t> reduced;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    if (Chance(60)) {
      reduced.push_back(d);
    } else {
      dims.push_back(a.dims[d]);
    }
  }
  Add(a.type, dims, [&](size_t) {
    return absl::StrCat("reduce(", a.name, ", ", init.name, "), dimensions={",
                        absl::StrJoin(reduced, ","),
                        "}, to_apply=", a.type == "f32" ? names[op] : ints[op]);
  });
}

void SizedProgramMaker::ReduceTwo() {
  const Value a = Array("f32");
  const size_t dim = Pick(a.dims.size());
  const Value places =
      Add("s32", a.dims, [&](size_t) { return absl::StrCat("iota(), iota_dimension=", dim); });
  const Value low = Scalar("f32", "-inf"), zero = Scalar("s32", "0");
  std::vector<Sizes> dims = a.dims;
  dims.erase(dims.begin() + dim);
  const std::string name = absl::StrCat("pair", next_++);
  for (size_t p = 0; p < count_; ++p) {
    absl::StrAppend(&bodies_[p], "  ", name, " = (", TypeText({"", "f32", dims}, p), ", ",
                    TypeText({"", "s32", dims}, p), ") reduce(", a.name, ", ", places.name, ", ",
                    low.name, ", ", zero.name, "), dimensions={", dim, "}, to_apply=argmax\n");
  }
  const int i = static_cast<int>(Pick(2));
  Add(i == 0 ? "f32" : "s32", dims,
      [&](size_t) { return absl::StrCat("get-tuple-element(", name, "), index=", i); });
}

void SizedProgramMaker::Window() {
  const Value a = Array("f32");
  const char* const names[] = {"add", "max", "nearer"};
  const char* const inits[] = {"0", "-inf", "1"};
  const size_t op = Pick(3);
  const Value init = Scalar("f32", inits[op]);
  std::vector<Sizes> dims = a.dims;
  std::vector<int64_t> size, stride;
  std::vector<std::string> pads;
  for (Sizes& sizes : dims) {
    const bool one = Chance(40);
    const int64_t extent = one ? 1 : 2, step = one ? 1 : 1 + Pick(2), low = one ? 0 : Pick(2),
                  high = one ? 0 : 1 + Pick(2);
    size.push_back(extent);
    stride.push_back(step);
    pads.push_back(absl::StrCat(low, "_", high));
    for (int64_t& each : sizes) each = (each + low + high - extent) / step + 1;
  }
  Add("f32", dims, [&](size_t) {
    return absl::StrCat("reduce-window(", a.name, ", ", init.name,
                        "), window={size=", absl::StrJoin(size, "x"),
                        " stride=", absl::StrJoin(stride, "x"), " pad=", absl::StrJoin(pads, "x"),
                        "}, to_apply=", names[op]);
  });
}

// A running sum, from either end, or the sum of all as a window.
void SizedProgramMaker::Cumulate() {
  const Value a = Array("f32");
  const Value init = Scalar("f32", "0");
  const size_t dim = Pick(a.dims.size()), kind = Pick(3);
  std::vector<Sizes> dims = a.dims;
  if (kind == 2) dims[dim] = Fixed(1);
  Add("f32", dims, [&](size_t p) {
    std::vector<int64_t> size(a.dims.size(), 1);
    std::vector<std::string> pads(a.dims.size(), "0_0");
    const int64_t n = a.dims[dim][p];
    size[dim] = n;
    if (kind == 0) pads[dim] = absl::StrCat(n - 1, "_0");
    if (kind == 1) pads[dim] = absl::StrCat("0_", n - 1);
    return absl::StrCat("reduce-window(", a.name, ", ", init.name,
                        "), window={size=", absl::StrJoin(size, "x"),
                        " pad=", absl::StrJoin(pads, "x"), "}, to_apply=add");
  });
}

void SizedProgramMaker::Dot() {
  const Value a = Array("f32");
  for (int tries = 0; tries < 20; ++tries) {
    const Value b = Array("f32");
    const size_t i = Pick(a.dims.size()), j = Pick(b.dims.size());
    if (a.dims[i] != b.dims[j]) continue;
    std::vector<Sizes> dims = a.dims, rest = b.dims;
    dims.erase(dims.begin() + i);
    rest.erase(rest.begin() + j);
    dims.insert(dims.end(), rest.begin(), rest.end());
    if (dims.size() > 3) continue;
    Add("f32", dims, [&](size_t) {
      return absl::StrCat("dot(", a.name, ", ", b.name, "), lhs_contracting_dims={", i,
                          "}, rhs_contracting_dims={", j, "}");
    });
    return;
  }
}

// One spatial dimension. The array's first dimension is the batch, or the features.
void SizedProgramMaker::Convolve() {
  const Value a = Array("f32");
  if (a.dims.size() != 2) return;
  if (Chance(20)) return ConvolveGroups(a);
  const bool features = Chance(40);
  const Sizes one = Fixed(1), batch = features ? one : a.dims[0];
  const Sizes feature = features ? a.dims[0] : one;
  const Value input = Add("f32", {batch, feature, a.dims[1]},
                          [&](size_t) { return absl::StrCat("reshape(", a.name, ")"); });
  const Value kernel = Broadcast(Scalar("f32", "3"), {Fixed(2), feature, Fixed(2)}, {});
  const int64_t stride = 1 + static_cast<int64_t>(Pick(2));
  Sizes results = a.dims[1];
  for (int64_t& size : results) size = (size + 2 - 2) / stride + 1;
  Add("f32", {batch, Fixed(2), results}, [&](size_t) {
    return absl::StrCat("convolution(", input.name, ", ", kernel.name,
                        "), window={size=2 stride=", stride, " pad=1_1}, dim_labels=bf0_oi0->bf0");
  });
}

// Two batches, each for one half of the kernel's features, of which there may be a variable number.
void SizedProgramMaker::ConvolveGroups(const Value& a) {
  const Value input = Numbered(Broadcast(a, {Fixed(2), a.dims[0], a.dims[1]}, {1, 2}), 0);
  Sizes features = Chance(50) ? Fixed(1) : values_[2].dims[0];
  for (int64_t& size : features) size *= 2;
  const Value kernel = Broadcast(Scalar("f32", "3"), {features, a.dims[0], Fixed(1)}, {});
  Add("f32", {Fixed(1), features, a.dims[1]}, [&](size_t) {
    return absl::StrCat("convolution(", input.name, ", ", kernel.name,
                        "), window={size=1}, dim_labels=bf0_oi0->bf0, batch_group_count=2");
  });
}

void SizedProgramMaker::Sort() {
  const Value a = Array("f32");
  const size_t dim = Pick(a.dims.size());
  if (Chance(40)) {
    Add("f32", a.dims, [&](size_t) {
      return absl::StrCat("sort(", a.name, "), dimensions={", dim, "}, is_stable=true, ",
                          "to_apply=greater");
    });
    return;
  }
  const Value places =
      Add("s32", a.dims, [&](size_t) { return absl::StrCat("iota(), iota_dimension=", dim); });
  const std::string name = absl::StrCat("sorted", next_++);
  for (size_t p = 0; p < count_; ++p) {
    absl::StrAppend(&bodies_[p], "  ", name, " = (", TypeText(a, p), ", ", TypeText(places, p),
                    ") sort(", a.name, ", ", places.name, "), dimensions={", dim,
                    "}, is_stable=true, to_apply=less\n");
  }
  for (int i = 0; i < 2; ++i) {
    Add(i == 0 ? "f32" : "s32", a.dims,
        [&](size_t) { return absl::StrCat("get-tuple-element(", name, "), index=", i); });
  }
}

// Constants that follow from the size.
void SizedProgramMaker::FromSize() {
  switch (Pick(4)) {
    case 0:
      Add("f32", {},
          [&](size_t p) { return absl::StrCat("constant(", low_ + static_cast<int64_t>(p), ")"); });
      break;
    case 1:
      Add("f32", {}, [&](size_t p) {
        return absl::StrCat("constant(", 1.0 / (1.0 + static_cast<double>(p)), ")");
      });
      break;
    case 2:
      Add("s32", {}, [&](size_t p) { return absl::StrCat("constant(", p * p, ")"); });
      break;
    default: {  // from the end
      const Sizes n = values_[2].dims[0];
      Add("s32", {n}, [&](size_t p) {
        std::vector<int64_t> numbers;
        for (int64_t i = 0; i < n[p]; ++i) numbers.push_back(n[p] - i);
        return absl::StrCat("constant({", absl::StrJoin(numbers, ","), "})");
      });
    }
  }
}

// A loop whose rounds need the size: x becomes x plus its sum over the varying dimension, twice.
void SizedProgramMaker::Loop() {
  const Value a = Array("f32");
  if (a.dims.size() > 2) return;
  const Value zero = Scalar("s32", "0");
  const std::string name = absl::StrCat("loop", next_++);
  for (size_t p = 0; p < count_; ++p) {
    const std::string type = TypeText(a, p), state = absl::StrCat("(s32[], ", type, ")");
    std::vector<size_t> all;
    for (size_t d = 0; d < a.dims.size(); ++d) all.push_back(d);
    const std::string text = absl::StrCat(
        name, "_body { s = ", state,
        " parameter(0) i = s32[] get-tuple-element(s), index=0 x = ", type,
        " get-tuple-element(s), index=1 one = s32[] constant(1) j = s32[] add(i, one) z = ",
        "f32[] constant(0) t = f32[] reduce(x, z), dimensions={", absl::StrJoin(all, ","),
        "}, to_apply=add b = ", type, " broadcast(t), dimensions={} y = ", type,
        " add(x, b) ROOT r = ", state, " tuple(j, y) }\n", name, "_condition { s = ", state,
        " parameter(0) i = s32[] get-tuple-element(s), index=0 two = s32[] constant(2) ROOT r = ",
        "pred[] compare(i, two), direction=LT }\n");
    loops_[p] += text;
    absl::StrAppend(&bodies_[p], "  ", name, "_state = ", state, " tuple(", zero.name, ", ", a.name,
                    ")\n  ", name, " = ", state, " while(", name, "_state), condition=", name,
                    "_condition, body=", name, "_body\n");
  }
  Add("f32", a.dims,
      [&](size_t) { return absl::StrCat("get-tuple-element(", name, "), index=1"); });
}

std::vector<std::string> SizedProgramMaker::Make(int ops) {
  using Maker = void (SizedProgramMaker::*)();
  constexpr Maker kMakers[] = {&SizedProgramMaker::Elementwise,  &SizedProgramMaker::BroadcastSome,
                               &SizedProgramMaker::Transpose,    &SizedProgramMaker::Reshape,
                               &SizedProgramMaker::Slice,        &SizedProgramMaker::Concatenate,
                               &SizedProgramMaker::Pad,          &SizedProgramMaker::Reverse,
                               &SizedProgramMaker::Reduce,       &SizedProgramMaker::ReduceTwo,
                               &SizedProgramMaker::Window,       &SizedProgramMaker::Cumulate,
                               &SizedProgramMaker::Dot,          &SizedProgramMaker::Convolve,
                               &SizedProgramMaker::Sort,         &SizedProgramMaker::Gather,
                               &SizedProgramMaker::DynamicSlice, &SizedProgramMaker::Update,
                               &SizedProgramMaker::Scatter,      &SizedProgramMaker::FromSize,
                               &SizedProgramMaker::Loop};
  for (int i = 0; i < ops; ++i) {
    int64_t elements = 0;
    for (const Value& value : values_)
      elements = std::max(elements, Product(value.dims, count_ - 1));
    // Arrays must not grow without end.
    if (elements > 4000) break;
    (this->*kMakers[Pick(std::size(kMakers))])();
  }
  std::vector<std::string> texts;
  std::vector<std::string> names;
  const size_t first = values_.size() > 12 ? values_.size() - 8 : 4;
  for (size_t i = first; i < values_.size(); ++i) names.push_back(values_[i].name);
  for (size_t p = 0; p < count_; ++p) {
    std::vector<std::string> types;
    for (size_t i = first; i < values_.size(); ++i) types.push_back(TypeText(values_[i], p));
    texts.push_back(absl::StrCat("HloModule sized\n", kComputations, loops_[p], "ENTRY e {\n",
                                 bodies_[p], "  ROOT r = (", absl::StrJoin(types, ", "), ") tuple(",
                                 absl::StrJoin(names, ", "), ")\n}\n"));
  }
  return texts;
}

}  // namespace halyard::testing
