// The ops of sized programs that move elements: of one array into another, and by indices.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/lowering/plan/sizes/sized_programs.h"

namespace halyard::testing {

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

}  // namespace halyard::testing
