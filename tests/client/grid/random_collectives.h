// Generates random programs of collectives.
#ifndef HALYARD_TESTS_CLIENT_GRID_RANDOM_COLLECTIVES_H_
#define HALYARD_TESTS_CLIENT_GRID_RANDOM_COLLECTIVES_H_

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/values/literal.h"

namespace halyard::testing {

// Generates a program of random collectives, one after the other. If it is asynchronous, most are
// pairs of start and done, with other ops between the two.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed, bool asynchronous = false)
      : asynchronous_(asynchronous), random_(seed) {
    static constexpr int64_t kGrids[][2] = {{2, 1}, {1, 2}, {2, 2}, {3, 2}, {4, 1}, {2, 4}, {4, 4}};
    const int64_t* grid = kGrids[Pick(std::size(kGrids))];
    replicas_ = grid[0];
    partitions_ = grid[1];
    static constexpr const char* kTypes[] = {"f32", "s32", "f16", "bf16", "u8", "c64", "s64"};
    type_ = kTypes[Pick(std::size(kTypes))];
    dims_ = {48 << Pick(3), Pick(2) == 0 ? 5 : 96};
    parameter_dims_ = dims_;
    Add(absl::StrCat(Shape(), " parameter(0)"));
    const int64_t count = 2 + Pick(4);
    for (int64_t i = 0; i < count; ++i) AddOne();
  }

  std::string text() const {
    return absl::StrCat("HloModule random, replica_count=", replicas_,
                        ", num_partitions=", partitions_, "\n", Bodies(), "ENTRY e {\n",
                        absl::StrJoin(lines_, "\n"), "\n  ROOT r = ", Shape(), " copy(", Last(),
                        ")\n}\n");
  }
  int64_t processes() const { return replicas_ * partitions_; }

  hlo::Literal Argument() {
    const std::string name = absl::StrCat(type_);
    const hlo::ElementType type = *hlo::ElementTypeFromHloName(name);
    hlo::Literal literal(hlo::Shape::Array(type, parameter_dims_));
    for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
      if (hlo::IsComplex(type)) {
        literal.SetComplex(i, {static_cast<double>(Pick(9)) - 4, static_cast<double>(Pick(9))});
      } else if (hlo::IsFloat(type)) {
        literal.SetFloat(i, (static_cast<double>(Pick(2000)) - 1000) / 7);
      } else {
        literal.SetInt(i, Pick(100));
      }
    }
    return literal;
  }

 private:
  int64_t Pick(size_t n) {
    return static_cast<int64_t>(std::uniform_int_distribution<size_t>(0, n - 1)(random_));
  }
  std::string Shape() const { return absl::StrCat(type_, "[", absl::StrJoin(dims_, ","), "]"); }
  std::string Last() const { return absl::StrCat("v", lines_.size() - 1); }
  void Add(const std::string& right) {
    lines_.push_back(absl::StrCat("  v", lines_.size(), " = ", right));
  }
  // Adds `SHAPE OP(from)REST`, perhaps as a pair around work with an earlier value, which the
  // result depends on if it has the same shape.
  void AddCollective(const std::string& from_shape, const std::string& op, const std::string& from,
                     const std::string& rest) {
    if (!asynchronous_ || Pick(4) == 0)
      return Add(absl::StrCat(Shape(), " ", op, "(", from, ")", rest));
    const bool plain = op == "all-reduce";
    const bool operands = op != "all-gather" && op != "collective-permute";
    const std::string context = operands ? ", u32[]" : "";
    const std::string start = plain
                                  ? Shape()
                                  : absl::StrCat("(", operands ? "(" : "", from_shape,
                                                 operands ? ")" : "", ", ", Shape(), context, ")");
    Add(absl::StrCat(start, " ", op, "-start(", from, ")", rest));
    const std::string started = Last();
    std::string work;
    if (Pick(3) != 0) {
      Add(absl::StrCat(from_shape, " add(", from, ", ", from, ")"));
      work = Last();
      if (Pick(2) == 0) {
        Add(absl::StrCat(from_shape, " all-reduce(", work, "), to_apply=add_body"));
        work = Last();
      }
    }
    Add(absl::StrCat(Shape(), " ", op, "-done(", started, ")"));
    if (!work.empty() && from_shape == Shape())
      Add(absl::StrCat(Shape(), " subtract(", Last(), ", ", work, ")"));
  }
  std::string Bodies() const {
    std::string bodies;
    for (const char* op : {"add", "subtract", "multiply"}) {
      absl::StrAppend(&bodies, op, "_body { a = ", type_, "[] parameter(0) b = ", type_,
                      "[] parameter(1) ROOT c = ", type_, "[] ", op, "(a, b) }\n");
    }
    return bodies;
  }

  // Returns ", replica_groups=…" for `count` ids, in groups of a common size, which `*size`
  // receives, or of any sizes if `uneven`.
  std::string Groups(int64_t count, bool uneven, int64_t* size) {
    std::vector<int64_t> ids(count);
    std::iota(ids.begin(), ids.end(), 0);
    std::shuffle(ids.begin(), ids.end(), random_);
    std::vector<int64_t> sizes;
    for (int64_t s = 1; s <= count; ++s) {
      if (count % s == 0) sizes.push_back(s);
    }
    *size = sizes[Pick(sizes.size())];
    std::string text = "{";
    for (int64_t i = 0; i < count;) {
      const int64_t here = uneven ? 1 + Pick(count - i) : *size;
      absl::StrAppend(&text, i > 0 ? "," : "", "{",
                      absl::StrJoin(ids.begin() + i, ids.begin() + i + here, ","), "}");
      i += here;
    }
    return absl::StrCat(", replica_groups=", text, "}");
  }

  // Returns groups for ops that support use_global_device_ids. Sets the size of a group in
  // processes.
  std::string AnyGroups(bool uneven, int64_t* size) {
    switch (Pick(3)) {
      case 0:
        return Groups(replicas_, uneven, size);
      case 1: {
        std::string text = absl::StrCat(Groups(replicas_, uneven, size), ", channel_id=1");
        *size *= partitions_;
        return text;
      }
      default:
        return absl::StrCat(Groups(processes(), uneven, size),
                            ", channel_id=1, use_global_device_ids=true");
    }
  }
  std::string NarrowGroups(int64_t* size) {
    if (Pick(2) == 0) return Groups(replicas_, false, size);
    return absl::StrCat(Groups(partitions_, false, size), ", channel_id=1");
  }

  std::string Body() {
    static constexpr const char* kOps[] = {"add", "subtract", "multiply"};
    // Floats are not multiplied: products may overflow, and those of complex numbers are rounded
    // differently on each target.
    return absl::StrCat(", to_apply=", kOps[Pick(type_[0] == 's' || type_[0] == 'u' ? 3 : 2)],
                        "_body");
  }

  void AddOne() {
    const std::string from = Last(), from_shape = Shape();
    const int64_t dim = Pick(2);
    int64_t size = 0;
    switch (Pick(7)) {
      case 0: {
        const std::string groups = AnyGroups(Pick(3) == 0, &size);
        AddCollective(from_shape, "all-reduce", from, groups + Body());
        return;
      }
      case 1: {
        const std::string groups = AnyGroups(false, &size);
        if (dims_[0] * dims_[1] * size > 1 << 18) return;
        dims_[dim] *= size;
        AddCollective(from_shape, "all-gather", from,
                      absl::StrCat(", dimensions={", dim, "}", groups));
        return;
      }
      case 2: {
        const std::string groups = AnyGroups(false, &size);
        if (dims_[dim] % size != 0) return;
        dims_[dim] /= size;
        AddCollective(from_shape, "reduce-scatter", from,
                      absl::StrCat(", dimensions={", dim, "}", groups, Body()));
        return;
      }
      case 3: {
        const std::string groups = NarrowGroups(&size);
        if (dims_[dim] % size != 0) return;
        AddCollective(from_shape, "all-to-all", from,
                      absl::StrCat(", dimensions={", dim, "}", groups));
        return;
      }
      case 4: {
        const bool channel = Pick(2) == 0;
        const int64_t ids = channel ? partitions_ : replicas_;
        std::vector<int64_t> to(ids);
        std::iota(to.begin(), to.end(), 0);
        std::shuffle(to.begin(), to.end(), random_);
        std::vector<std::string> pairs;
        for (int64_t i = 0; i < ids; ++i) {
          if (Pick(4) != 0) pairs.push_back(absl::StrCat("{", i, ",", to[i], "}"));
        }
        AddCollective(from_shape, "collective-permute", from,
                      absl::StrCat(", source_target_pairs={", absl::StrJoin(pairs, ","), "}",
                                   channel ? ", channel_id=1" : ""));
        return;
      }
      case 5: {
        const std::string groups = NarrowGroups(&size);
        AddCollective(from_shape, "collective-broadcast", from, groups);
        return;
      }
      default:
        Add(absl::StrCat("u32[] ", Pick(2) == 0 ? "replica" : "partition", "-id()"));
        Add(absl::StrCat(type_, "[] convert(", Last(), ")"));
        Add(absl::StrCat(Shape(), " broadcast(", Last(), "), dimensions={}"));
        Add(absl::StrCat(Shape(), " subtract(", from, ", ", Last(), ")"));
        return;
    }
  }

  bool asynchronous_;
  std::mt19937 random_;
  int64_t replicas_ = 1, partitions_ = 1;
  const char* type_ = "f32";
  std::vector<int64_t> dims_, parameter_dims_;
  std::vector<std::string> lines_;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_CLIENT_GRID_RANDOM_COLLECTIVES_H_
