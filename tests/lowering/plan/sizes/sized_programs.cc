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

template <typename Text>
SizedProgramMaker::Value SizedProgramMaker::Add(std::string type, std::vector<Sizes> dims,
                                                Text text) {
  Value value{absl::StrCat("v", next_++), std::move(type), std::move(dims)};
  for (size_t p = 0; p < count_; ++p)
    absl::StrAppend(&bodies_[p], "  ", value.name, " = ", TypeText(value, p), " ", text(p), "\n");
  values_.push_back(value);
  return value;
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

void SizedProgramMaker::BroadcastSome() {
  const Value a = Any();
  if (a.dims.size() > 2) return;
  std::vector<Sizes> dims = a.dims;
  std::vector<size_t> places;
  const size_t at = Pick(dims.size() + 1);
  dims.insert(dims.begin() + at, Chance(60) ? values_[2].dims[0] : Fixed(1 + Pick(3)));
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i != at) places.push_back(i);
  }
  Broadcast(a, dims, places);
}

void SizedProgramMaker::Transpose() {
  const Value a = Any();
  std::vector<size_t> order(a.dims.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random_);
  std::vector<Sizes> dims;
  for (const size_t i : order) dims.push_back(a.dims[i]);
  Add(a.type, dims, [&](size_t) {
    return absl::StrCat("transpose(", a.name, "), dimensions={", absl::StrJoin(order, ","), "}");
  });
}

// Joins two dimensions, or all, or takes one apart.
void SizedProgramMaker::Reshape() {
  const Value a = Array("");
  std::vector<Sizes> dims = a.dims;
  const size_t at = Pick(dims.size());
  if (at + 1 < dims.size()) {
    for (size_t p = 0; p < count_; ++p) dims[at][p] *= dims[at + 1][p];
    dims.erase(dims.begin() + at + 1);
  } else {
    const bool even =
        std::all_of(dims[at].begin(), dims[at].end(), [](int64_t size) { return size % 2 == 0; });
    const bool first = Chance(50);
    if (even)
      for (int64_t& size : dims[at]) size /= 2;
    dims.insert(dims.begin() + at + (first ? 0 : 1), Fixed(even ? 2 : 1));
  }
  Add(a.type, dims, [&](size_t) { return absl::StrCat("reshape(", a.name, ")"); });
}

void SizedProgramMaker::Slice() {
  const Value a = Array("");
  std::vector<Sizes> dims = a.dims, starts, limits;
  std::vector<int64_t> strides;
  for (Sizes& sizes : dims) {
    Sizes start = Fixed(0), limit = sizes;
    const int64_t least = *std::min_element(sizes.begin(), sizes.end());
    int64_t stride = 1;
    switch (Pick(6)) {
      case 0:
        start = Fixed(std::min<int64_t>(1, least - 1));
        break;
      case 1:  // the last two
        for (size_t p = 0; p < count_; ++p) start[p] = std::max<int64_t>(sizes[p] - 2, 0);
        break;
      case 2:
        for (size_t p = 0; p < count_; ++p) limit[p] = std::max<int64_t>(sizes[p] - 1, 1);
        break;
      case 3:
        stride = 2;
        break;
      case 4:  // the second half
        for (size_t p = 0; p < count_; ++p) start[p] = sizes[p] / 2;
        break;
      default:
        break;
    }
    for (size_t p = 0; p < count_; ++p) sizes[p] = (limit[p] - start[p] + stride - 1) / stride;
    starts.push_back(start);
    limits.push_back(limit);
    strides.push_back(stride);
  }
  Add(a.type, dims, [&](size_t p) {
    std::vector<std::string> parts;
    for (size_t d = 0; d < dims.size(); ++d)
      parts.push_back(absl::StrCat("[", starts[d][p], ":", limits[d][p], ":", strides[d], "]"));
    return absl::StrCat("slice(", a.name, "), slice={", absl::StrJoin(parts, ","), "}");
  });
}

void SizedProgramMaker::Concatenate() {
  const Value a = Array("");
  const size_t dim = Pick(a.dims.size());
  std::vector<Value> parts = {a};
  for (const Value& value : values_) {
    if (value.type != a.type || value.dims.size() != a.dims.size() || parts.size() > 2) continue;
    bool fits = Chance(50);
    for (size_t d = 0; d < a.dims.size(); ++d)
      fits = fits && (d == dim || value.dims[d] == a.dims[d]);
    if (fits) parts.push_back(value);
  }
  std::vector<Sizes> dims = a.dims;
  std::vector<std::string> names = {a.name};
  for (size_t i = 1; i < parts.size(); ++i) {
    names.push_back(parts[i].name);
    for (size_t p = 0; p < count_; ++p) dims[dim][p] += parts[i].dims[dim][p];
  }
  Add(a.type, dims, [&](size_t) {
    return absl::StrCat("concatenate(", absl::StrJoin(names, ", "), "), dimensions={", dim, "}");
  });
}

void SizedProgramMaker::Pad() {
  const Value a = Array(Chance(50) ? "f32" : "s32");
  const Value fill = Scalar(a.type, "7");
  std::vector<Sizes> dims = a.dims;
  std::vector<std::string> parts;
  for (Sizes& sizes : dims) {
    const int64_t low = static_cast<int64_t>(Pick(4)) - 1;
    const int64_t high = static_cast<int64_t>(Pick(4)) - 1, interior = Chance(25) ? 1 : 0;
    const bool stays = *std::min_element(sizes.begin(), sizes.end()) + low + high < 1;
    parts.push_back(stays ? "0_0" : absl::StrCat(low, "_", high, "_", interior));
    for (int64_t& size : sizes)
      if (!stays) size += low + high + std::max<int64_t>(size - 1, 0) * interior;
  }
  Add(a.type, dims, [&](size_t) {
    return absl::StrCat("pad(", a.name, ", ", fill.name, "), padding=", absl::StrJoin(parts, "x"));
  });
}

void SizedProgramMaker::Reverse() {
  const Value a = Array("");
  std::vector<size_t> reversed;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    if (Chance(60)) reversed.push_back(d);
  }
  Add(a.type, a.dims, [&](size_t) {
    return absl::StrCat("reverse(", a.name, "), dimensions={", absl::StrJoin(reversed, ","), "}");
  });
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

// Takes the rows that a vector names, or single elements.
void SizedProgramMaker::Gather() {
  const Value a = Array(""), index = AsIndex(Array("s32"));
  const size_t dim = Pick(a.dims.size());
  const bool slices = Chance(30) && a.dims[dim] != Fixed(1) &&
                      *std::min_element(a.dims[dim].begin(), a.dims[dim].end()) >= 2;
  std::vector<Sizes> dims = index.dims;
  std::vector<size_t> offset;
  std::vector<std::string> collapsed;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    if (d == dim && !slices) continue;
    offset.push_back(dims.size());
    dims.push_back(d == dim ? Fixed(2) : a.dims[d]);
  }
  if (dims.size() > 4) return;
  Add(a.type, dims, [&](size_t p) {
    std::vector<int64_t> sizes;
    for (size_t d = 0; d < a.dims.size(); ++d)
      sizes.push_back(d != dim ? a.dims[d][p] : slices ? 2 : 1);
    return absl::StrCat("gather(", a.name, ", ", index.name, "), offset_dims={",
                        absl::StrJoin(offset, ","), "}, collapsed_slice_dims={",
                        slices ? "" : absl::StrCat(dim), "}, start_index_map={", dim,
                        "}, index_vector_dim=", index.dims.size(), ", slice_sizes={",
                        absl::StrJoin(sizes, ","), "}");
  });
}

void SizedProgramMaker::DynamicSlice() {
  const Value a = Array("");
  std::vector<Sizes> dims = a.dims;
  std::vector<std::string> starts;
  const bool wide = Chance(20);
  for (Sizes& sizes : dims) {
    starts.push_back(Start(wide, static_cast<int>(Pick(9)) - 2));
    if (Chance(50)) {
      sizes = Fixed(1);
    } else if (Chance(40)) {
      for (int64_t& size : sizes) size = (size + 1) / 2;
    }
  }
  Add(a.type, dims, [&](size_t p) {
    std::vector<int64_t> sizes;
    for (const Sizes& each : dims) sizes.push_back(each[p]);
    return absl::StrCat("dynamic-slice(", a.name, ", ", absl::StrJoin(starts, ", "),
                        "), dynamic_slice_sizes={", absl::StrJoin(sizes, ","), "}");
  });
}

// Writes a part of an array over another part of it.
void SizedProgramMaker::Update() {
  const Value a = Array("");
  DynamicSlice();
  const Value update = values_.back();
  if (update.type != a.type || update.dims.size() != a.dims.size()) return;
  std::vector<std::string> starts;
  const bool wide = Chance(20);
  for (size_t d = 0; d < a.dims.size(); ++d) {
    starts.push_back(Start(wide, static_cast<int>(Pick(7)) - 1));
    for (size_t p = 0; p < count_; ++p) {
      if (update.dims[d][p] > a.dims[d][p]) return;
    }
  }
  Add(a.type, a.dims, [&](size_t) {
    return absl::StrCat("dynamic-update-slice(", a.name, ", ", update.name, ", ",
                        absl::StrJoin(starts, ", "), ")");
  });
}

// How far the windows of a scatter reach along each dimension of an array. No sizes: they take one
// element, and the updates lack the dimension.
std::vector<SizedProgramMaker::Sizes> SizedProgramMaker::ScatterWindows(
    const std::vector<Sizes>& dims, const std::vector<size_t>& indexed) {
  std::vector<Sizes> windows;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool is_indexed = std::count(indexed.begin(), indexed.end(), d) != 0;
    const int64_t least = *std::min_element(dims[d].begin(), dims[d].end());
    Sizes window = dims[d];
    if (is_indexed && Chance(50)) {
      window.clear();
    } else if (Chance(is_indexed ? 50 : 15)) {
      window = Fixed(least == 0 ? 0 : 1 + static_cast<int64_t>(Pick(least)));
    } else if (Chance(is_indexed ? 50 : 15)) {
      for (int64_t& size : window) size = (size + 1) / 2;
    }
    windows.push_back(window);
  }
  return windows;
}

// Updates windows where vectors of one or two numbers say, which may lie outside in part.
void SizedProgramMaker::Scatter() {
  const Value a = Array("f32");
  Value index = Array("s32");
  if (index.dims.size() + a.dims.size() > 4) return;
  std::vector<size_t> indexed = {Pick(a.dims.size())};
  size_t vector_dim = index.dims.size();
  const std::vector<Sizes> rows = index.dims;
  if (a.dims.size() > 1 && Chance(40)) {
    const size_t other = Pick(a.dims.size() - 1);
    indexed.push_back(other < indexed[0] ? other : other + 1);
    vector_dim = Pick(rows.size() + 1);
    std::vector<size_t> places;
    for (size_t d = 0; d < rows.size(); ++d) places.push_back(d < vector_dim ? d : d + 1);
    std::vector<Sizes> dims = rows;
    dims.insert(dims.begin() + vector_dim, Fixed(2));
    index = Numbered(Broadcast(index, dims, places), vector_dim);
  }
  index = AsIndex(index);
  const std::vector<Sizes> windows = ScatterWindows(a.dims, indexed);
  std::vector<Sizes> dims;
  std::vector<size_t> inserted, of_windows;
  size_t row = 0;
  for (size_t d = 0; d <= a.dims.size(); ++d) {  // rows lie before, between and behind windows
    while (row < rows.size() && (d == a.dims.size() || Chance(70))) dims.push_back(rows[row++]);
    if (d == a.dims.size()) continue;
    (windows[d].empty() ? inserted : of_windows).push_back(windows[d].empty() ? d : dims.size());
    if (!windows[d].empty()) dims.push_back(windows[d]);
  }
  Value updates = Broadcast(Scalar("f32", "3"), dims, {});
  if (!dims.empty()) updates = Numbered(updates, Pick(dims.size()));
  const char* const bodies[] = {"add", "last", "max"};
  const char* body = bodies[Pick(3)];
  Add("f32", a.dims, [&](size_t) {
    return absl::StrCat("scatter(", a.name, ", ", index.name, ", ", updates.name,
                        "), update_window_dims={", absl::StrJoin(of_windows, ","),
                        "}, inserted_window_dims={", absl::StrJoin(inserted, ","),
                        "}, scatter_dims_to_operand_dims={", absl::StrJoin(indexed, ","),
                        "}, index_vector_dim=", vector_dim, ", to_apply=", body);
  });
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
