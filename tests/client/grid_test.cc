// Programs of several processes on every target, beside the evaluator's grid: their results must
// have its bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/api/client.h"
#include "client/processes/host_queue.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::HasSubstr;
using Literals = std::vector<Literal>;
using Grids = std::vector<Literals>;  // the arrays of each process

// Null if the machine lacks the target.
Client* ClientFor(const std::string& target) {
  static std::map<std::string, std::unique_ptr<Client>> clients;
  auto [at, fresh] = clients.try_emplace(target);
  if (fresh) {
    auto made = Client::Create({.target = target});
    if (made.ok()) at->second = *std::move(made);
  }
  return at->second.get();
}

absl::StatusOr<Grids> RunOn(const std::string& target, const std::string& text,
                            const Grids& arguments, const GridRunOptions& options = {}) {
  auto module = ParseProgram(text, "p.hlo");
  if (!module.ok()) return module.status();
  auto executable = ClientFor(target)->Compile(**module);
  if (!executable.ok()) return executable.status();
  return (*executable)->RunGridLiterals(arguments, options);
}

std::string Text(const absl::StatusOr<Grids>& results) {
  if (!results.ok()) return std::string(results.status().message());
  return absl::StrJoin(*results, " | ", [](std::string* out, const Literals& own) {
    absl::StrAppend(out, absl::StrJoin(own, " ", [](std::string* o, const Literal& literal) {
                      absl::StrAppend(o, literal.ToString());
                    }));
  });
}

Literal S32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return Literal::FromValues<int64_t>(ElementType::kS32, std::move(dims), values);
}

class GridTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (ClientFor(GetParam()) == nullptr) GTEST_SKIP() << "there is no " << GetParam();
  }
};
INSTANTIATE_TEST_SUITE_P(Targets, GridTest, testing::Values("reference", "x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

// A program of random collectives, one after the other.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed) : random_(seed) {
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

  Literal Argument() {
    const std::string name = absl::StrCat(type_);
    const ElementType type = *hlo::ElementTypeFromHloName(name);
    Literal literal(hlo::Shape::Array(type, parameter_dims_));
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
  std::string Bodies() const {
    std::string bodies;
    for (const char* op : {"add", "subtract", "multiply"}) {
      absl::StrAppend(&bodies, op, "_body { a = ", type_, "[] parameter(0) b = ", type_,
                      "[] parameter(1) ROOT c = ", type_, "[] ", op, "(a, b) }\n");
    }
    return bodies;
  }

  // `count` ids in groups of one size, or of any if `uneven`; ", replica_groups=…, channel_id=…".
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

  // Of those that know use_global_device_ids. Sets the size of a group of processes.
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
    // Products of floats may overflow, those of complex numbers round as each target likes.
    return absl::StrCat(", to_apply=", kOps[Pick(type_[0] == 's' || type_[0] == 'u' ? 3 : 2)],
                        "_body");
  }

  void AddOne() {
    const std::string from = Last();
    const int64_t dim = Pick(2);
    int64_t size = 0;
    switch (Pick(7)) {
      case 0: {
        const std::string groups = AnyGroups(Pick(3) == 0, &size);
        Add(absl::StrCat(Shape(), " all-reduce(", from, ")", groups, Body()));
        return;
      }
      case 1: {
        const std::string groups = AnyGroups(false, &size);
        if (dims_[0] * dims_[1] * size > 1 << 18) return;
        dims_[dim] *= size;
        Add(absl::StrCat(Shape(), " all-gather(", from, "), dimensions={", dim, "}", groups));
        return;
      }
      case 2: {
        const std::string groups = AnyGroups(false, &size);
        if (dims_[dim] % size != 0) return;
        dims_[dim] /= size;
        Add(absl::StrCat(Shape(), " reduce-scatter(", from, "), dimensions={", dim, "}", groups,
                         Body()));
        return;
      }
      case 3: {
        const std::string groups = NarrowGroups(&size);
        if (dims_[dim] % size != 0) return;
        Add(absl::StrCat(Shape(), " all-to-all(", from, "), dimensions={", dim, "}", groups));
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
        Add(absl::StrCat(Shape(), " collective-permute(", from, "), source_target_pairs={",
                         absl::StrJoin(pairs, ","), "}", channel ? ", channel_id=1" : ""));
        return;
      }
      case 5: {
        const std::string groups = NarrowGroups(&size);
        Add(absl::StrCat(Shape(), " collective-broadcast(", from, ")", groups));
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

  std::mt19937 random_;
  int64_t replicas_ = 1, partitions_ = 1;
  const char* type_ = "f32";
  std::vector<int64_t> dims_, parameter_dims_;
  std::vector<std::string> lines_;
};

// $HALYARD_NIGHTLY: 1,000 programs.
TEST_P(GridTest, RandomCollectivesAgreeWithTheEvaluator) {
  const std::string target = GetParam();
  if (target == "reference") GTEST_SKIP() << "it is the other side";
  const uint32_t count = std::getenv("HALYARD_NIGHTLY") != nullptr ? 1000
                         : target == "x86"                         ? 60
                                                                   : 30;
  for (uint32_t seed = 1; seed <= count; ++seed) {
    RandomProgram program(seed);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text()));
    Grids arguments;
    for (int64_t i = 0; i < program.processes(); ++i) arguments.push_back({program.Argument()});
    const absl::StatusOr<Grids> want = RunOn("reference", program.text(), arguments);
    ASSERT_TRUE(want.ok()) << want.status();
    const absl::StatusOr<Grids> got = RunOn(target, program.text(), arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t p = 0; p < want->size(); ++p) {
      ASSERT_TRUE((*got)[p][0].BitwiseEqual((*want)[p][0])) << "process " << p;
    }
  }
}

// Narrow, empty, complex and quantized arrays, and a group of one beside a group of two.
constexpr char kTypes[] =
    R"(module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
func.func @main(%a: tensor<3x5xi4>, %c: tensor<3x5xi1>, %d: tensor<3x0xf32>, %e: tensor<complex<f32>>, %f: tensor<7xf8E4M3FN>) -> (tensor<9x5xi4>, tensor<3x5xi4>, tensor<3x5xi1>, tensor<3x0xf32>, tensor<complex<f32>>, tensor<7xf8E4M3FN>) {
  %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<3x5xi4>) -> tensor<9x5xi4>
  %tt = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[2,1,0]]> : tensor<1x3xi64>} : (tensor<3x5xi4>) -> tensor<3x5xi4>
  %s = "stablehlo.all_reduce"(%c) ({
    ^bb0(%l: tensor<i1>, %q: tensor<i1>):
      %t = stablehlo.and %l, %q : tensor<i1>
      stablehlo.return %t : tensor<i1>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<3x5xi1>) -> tensor<3x5xi1>
  %z = "stablehlo.all_reduce"(%d) ({
    ^bb0(%l: tensor<f32>, %q: tensor<f32>):
      %t = stablehlo.add %l, %q : tensor<f32>
      stablehlo.return %t : tensor<f32>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<3x0xf32>) -> tensor<3x0xf32>
  %y = "stablehlo.all_reduce"(%e) ({
    ^bb0(%l: tensor<complex<f32>>, %q: tensor<complex<f32>>):
      %t = stablehlo.multiply %l, %q : tensor<complex<f32>>
      stablehlo.return %t : tensor<complex<f32>>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %x = "stablehlo.all_reduce"(%f) ({
    ^bb0(%l: tensor<f8E4M3FN>, %q: tensor<f8E4M3FN>):
      %t = stablehlo.add %l, %q : tensor<f8E4M3FN>
      stablehlo.return %t : tensor<f8E4M3FN>
  }) {replica_groups = dense<[[0,-1],[1,2]]> : tensor<2x2xi64>} : (tensor<7xf8E4M3FN>) -> tensor<7xf8E4M3FN>
  return %g, %tt, %s, %z, %y, %x : tensor<9x5xi4>, tensor<3x5xi4>, tensor<3x5xi1>, tensor<3x0xf32>, tensor<complex<f32>>, tensor<7xf8E4M3FN>
}
})";
constexpr char kQuantized[] =
    R"(module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> (tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<12x!quant.uniform<i8:f32, 0.5:7>>) {
  %p = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0,1],[1,2]]> : tensor<2x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:7>>
  %b = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[2,1]]> : tensor<1x2xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:7>>
  %s = "stablehlo.all_reduce"(%a) ({
    ^bb0(%l: tensor<!quant.uniform<i8:f32, 0.5:7>>, %q: tensor<!quant.uniform<i8:f32, 0.5:7>>):
      %t = stablehlo.add %l, %q : tensor<!quant.uniform<i8:f32, 0.5:7>>
      stablehlo.return %t : tensor<!quant.uniform<i8:f32, 0.5:7>>
  }) {replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:7>>
  %g = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0,1,2]]> : tensor<1x3xi64>} : (tensor<4x!quant.uniform<i8:f32, 0.5:7>>) -> tensor<12x!quant.uniform<i8:f32, 0.5:7>>
  return %p, %b, %s, %g : tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<4x!quant.uniform<i8:f32, 0.5:7>>, tensor<12x!quant.uniform<i8:f32, 0.5:7>>
}
})";

TEST_P(GridTest, EveryKindOfType) {
  for (const char* text : {kTypes, kQuantized}) {
    auto module = ParseProgram(text, "p.mlir");
    ASSERT_TRUE(module.ok()) << module.status();
    Grids arguments(3);
    std::mt19937 random(1);
    for (Literals& own : arguments) {
      for (const hlo::Instruction* parameter : (*module)->entry()->parameters()) {
        Literal& literal = own.emplace_back(parameter->shape.Storage());
        const ElementType type = literal.shape().element_type();
        for (int64_t i = 0; i < literal.shape().NumElements(); ++i) {
          const int64_t value = static_cast<int64_t>(random() % 8);
          if (hlo::IsComplex(type)) {
            literal.SetComplex(i, {static_cast<double>(value), 1.0});
          } else if (hlo::IsFloat(type)) {
            literal.SetFloat(i, static_cast<double>(value));
          } else {
            literal.SetInt(i, value);
          }
        }
      }
    }
    const absl::StatusOr<Grids> got = RunOn(GetParam(), text, arguments);
    EXPECT_TRUE(got.ok()) << got.status();
    EXPECT_EQ(Text(got), Text(RunOn("reference", text, arguments)));
  }
}

constexpr char kAdd[] =
    "add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n";

TEST_P(GridTest, CollectivesInLoopsAndBranches) {
  // Each round, the sum of all is added to, and what the left neighbour has is taken.
  const std::string text = absl::StrCat("HloModule m, replica_count=3\n", kAdd, R"(
body {
  s = (s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[2] get-tuple-element(s), index=1
  sum = s32[2] all-reduce(x), replica_groups={}, to_apply=add
  left = s32[2] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,0}}
  y = s32[2] add(sum, left)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[2]) tuple(j, y)
}
cond {
  s = (s32[], s32[2]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[2] get-tuple-element(s), index=1
  n = s32[] constant(4)
  least = s32[] reduce(x, n), dimensions={0}, to_apply=add
  big = s32[] constant(100000)
  some = s32[] all-reduce(least), replica_groups={}, to_apply=add
  ROOT r = pred[] compare(some, big), direction=LT
}
twice {
  x = s32[2] parameter(0)
  ROOT r = s32[2] all-reduce(x), replica_groups={{0,2},{1}}, to_apply=add
}
none {
  x = s32[2] parameter(0)
  ROOT r = s32[2] negate(x)
}
ENTRY e {
  x = s32[2] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[2]) tuple(zero, x)
  loop = (s32[], s32[2]) while(init), condition=cond, body=body
  y = s32[2] get-tuple-element(loop), index=1
  id = u32[] replica-id()
  which = s32[] convert(id)
  one = s32[] constant(1)
  middle = pred[] compare(which, one), direction=EQ
  c = s32[2] conditional(middle, y, y), true_computation=none, false_computation=twice
  i = s32[] get-tuple-element(loop), index=0
  ROOT r = (s32[], s32[2]) tuple(i, c)
})");
  const Grids arguments = {{S32({2}, {1, 2})}, {S32({2}, {3, 4})}, {S32({2}, {5, 6})}};
  const absl::StatusOr<Grids> got = RunOn(GetParam(), text, arguments);
  EXPECT_EQ(Text(got), Text(RunOn("reference", text, arguments)));
  EXPECT_TRUE(got.ok());
}

// Who sends, and who receives, is one process each.
constexpr char kRing[] = R"(HloModule ring, num_partitions=2
to_one {
  x = s32[3] parameter(0)
  t = token[] after-all()
  s = (s32[3], u32[], token[]) send(x, t), channel_id=5
  d = token[] send-done(s), channel_id=5
  r = (s32[3], u32[], token[]) recv(d), channel_id=6
  e = (s32[3], token[]) recv-done(r), channel_id=6
  ROOT y = s32[3] get-tuple-element(e), index=0
}
from_zero {
  x = s32[3] parameter(0)
  t = token[] after-all()
  r = (s32[3], u32[], token[]) recv(t), channel_id=5
  e = (s32[3], token[]) recv-done(r), channel_id=5
  y = s32[3] get-tuple-element(e), index=0
  z = s32[3] multiply(x, y)
  u = token[] get-tuple-element(e), index=1
  s = (s32[3], u32[], token[]) send(z, u), channel_id=6
  d = token[] send-done(s), channel_id=6
  ROOT n = s32[3] negate(y)
}
ENTRY e {
  x = s32[3] parameter(0)
  id = u32[] partition-id()
  i = s32[] convert(id)
  ROOT c = s32[3] conditional(i, x, x), branch_computations={to_one, from_zero}
})";

TEST_P(GridTest, SendAndReceive) {
  const Grids arguments = {{S32({3}, {1, 2, 3})}, {S32({3}, {10, 20, 30})}};
  EXPECT_EQ(Text(RunOn(GetParam(), kRing, arguments)), "{10, 40, 90} | {-1, -2, -3}");
}

// recv-done comes first in the text; each waits for what the other sends afterwards.
TEST_P(GridTest, SendsAreNotBehindReceives) {
  constexpr char kText[] = R"(HloModule m, num_partitions=2
zero {
  x = s32[] parameter(0)
  t = token[] after-all()
  r = (s32[], u32[], token[]) recv(t), channel_id=1
  e = (s32[], token[]) recv-done(r), channel_id=1
  s = (s32[], u32[], token[]) send(x, t), channel_id=2
  d = token[] send-done(s), channel_id=2
  ROOT y = s32[] get-tuple-element(e), index=0
}
one {
  x = s32[] parameter(0)
  t = token[] after-all()
  r = (s32[], u32[], token[]) recv(t), channel_id=2
  e = (s32[], token[]) recv-done(r), channel_id=2
  s = (s32[], u32[], token[]) send(x, t), channel_id=1
  d = token[] send-done(s), channel_id=1
  ROOT y = s32[] get-tuple-element(e), index=0
}
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] partition-id()
  i = s32[] convert(id)
  ROOT c = s32[] conditional(i, x, x), branch_computations={zero, one}
})";
  EXPECT_EQ(Text(RunOn(GetParam(), kText, {{S32({}, {1})}, {S32({}, {2})}})), "2 | 1");
}

TEST_P(GridTest, DeadlocksSayWhoWaitsForWhom) {
  // The second process leaves its loop earlier.
  const std::string text = absl::StrCat("HloModule m, replica_count=2\n", kAdd, R"(
body {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[] get-tuple-element(s), index=1
  y = s32[] all-reduce(x), replica_groups={{0,1}}, to_apply=add
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = (s32[], s32[]) tuple(j, y)
}
cond {
  s = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  id = u32[] replica-id()
  k = s32[] convert(id)
  three = s32[] constant(3)
  n = s32[] subtract(three, k)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = s32[] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[]) tuple(zero, x)
  ROOT loop = (s32[], s32[]) while(init), condition=cond, body=body
})");
  const absl::StatusOr<Grids> got = RunOn(GetParam(), text, {{S32({}, {1})}});
  EXPECT_EQ(got.status().code(), absl::StatusCode::kDeadlineExceeded) << got.status();
  EXPECT_THAT(Text(got), HasSubstr("deadlock: process (0, 0) waits at "));
  EXPECT_THAT(Text(got), HasSubstr("(p.hlo:8:3) for (1, 0); the others have ended"));
}

TEST_P(GridTest, InfeedAndOutfeedWhileTheProgramRuns) {
  // Each round doubles what it reads; a negative number is the last.
  constexpr char kText[] = R"(HloModule m, replica_count=2
body {
  s = (s32[], token[]) parameter(0)
  t = token[] get-tuple-element(s), index=1
  f = ((s32[2]), token[]) infeed(t)
  d = (s32[2]) get-tuple-element(f), index=0
  x = s32[2] get-tuple-element(d), index=0
  u = token[] get-tuple-element(f), index=1
  y = s32[2] add(x, x)
  o = token[] outfeed(y, u), outfeed_shape=s32[2]
  h = s32[1] slice(x), slice={[0:1]}
  c = s32[] reshape(h)
  ROOT r = (s32[], token[]) tuple(c, o)
}
cond {
  s = (s32[], token[]) parameter(0)
  c = s32[] get-tuple-element(s), index=0
  zero = s32[] constant(0)
  ROOT r = pred[] compare(c, zero), direction=GE
}
ENTRY e {
  t = token[] after-all()
  zero = s32[] constant(0)
  init = (s32[], token[]) tuple(zero, t)
  loop = (s32[], token[]) while(init), condition=cond, body=body
  ROOT c = s32[] get-tuple-element(loop), index=0
})";
  const bool is_reference = GetParam() == std::string("reference");
  // The reference takes all items before it starts.
  const int rounds = is_reference ? 50 : 2000;
  const size_t capacity = is_reference ? HostQueue::kUnbounded : 4;
  ProcessHost hosts[2] = {ProcessHost(capacity), ProcessHost(capacity)};
  std::vector<int64_t> sums(2);
  const auto feed = [&](int p) {
    for (int i = 1; i <= rounds; ++i) {
      const int64_t value = i == rounds ? -1 : i;
      ASSERT_TRUE(hosts[p].infeed.Push({S32({2}, {value, p})}).ok());
    }
  };
  const auto take = [&](int p) {
    for (int i = 0; i < rounds; ++i) {
      auto item = hosts[p].outfeed.Pop();
      ASSERT_TRUE(item.ok()) << item.status();
      sums[p] += (*item)[0].GetInt(0) + (*item)[0].GetInt(1);
    }
  };
  std::vector<std::thread> threads;
  for (int p = 0; p < 2; ++p) {
    if (is_reference) {
      feed(p);
    } else {
      threads.emplace_back(feed, p);
      threads.emplace_back(take, p);
    }
  }
  EXPECT_EQ(Text(RunOn(GetParam(), kText, {{}}, {.hosts = {&hosts[0], &hosts[1]}})), "-1 | -1");
  for (std::thread& thread : threads) thread.join();
  if (is_reference) {
    for (int p = 0; p < 2; ++p) take(p);
  }
  const int64_t total = int64_t{rounds} * (rounds - 1) - 2;
  EXPECT_EQ(sums, (std::vector<int64_t>{total, total + 2 * rounds}));
  EXPECT_FALSE(hosts[0].outfeed.Pop().ok());  // closed
}

TEST_P(GridTest, TransfersToAndFromTheHost) {
  constexpr char kText[] = R"(HloModule m, replica_count=2
ENTRY e {
  x = s32[2] parameter(0)
  t = token[] after-all()
  s = (s32[2], u32[], token[]) send(x, t), channel_id=3, is_host_transfer=true
  d = token[] send-done(s), channel_id=3, is_host_transfer=true
  r = (f32[], u32[], token[]) recv(d), channel_id=4, is_host_transfer=true
  e = (f32[], token[]) recv-done(r), channel_id=4, is_host_transfer=true
  ROOT y = f32[] get-tuple-element(e), index=0
})";
  ProcessHost hosts[2];
  for (int p = 0; p < 2; ++p) {
    Literal value(hlo::Shape::Scalar(ElementType::kF32));
    value.SetFloat(0, p + 0.5);
    ASSERT_TRUE(hosts[p].to_device(4).Push({value}).ok());
  }
  EXPECT_EQ(Text(RunOn(GetParam(), kText, {{S32({2}, {1, 2})}, {S32({2}, {3, 4})}},
                       {.hosts = {&hosts[0], &hosts[1]}})),
            "0.5 | 1.5");
  EXPECT_EQ(hosts[1].sent_channels(), std::vector<int64_t>{3});
  EXPECT_EQ((*hosts[1].to_host(3).Pop())[0].ToString(), "{3, 4}");
}

// An error of one process ends the waits of all, in an exchange as well as for the host.
TEST_P(GridTest, AnErrorEndsAllProcesses) {
  const std::string text = absl::StrCat("HloModule m, replica_count=3\n", kAdd, R"(
fed {
  x = s32[] parameter(0)
  t = token[] after-all()
  f = ((s32[]), token[]) infeed(t)
  d = (s32[]) get-tuple-element(f), index=0
  ROOT y = s32[] get-tuple-element(d), index=0
}
met {
  x = s32[] parameter(0)
  ROOT y = s32[] all-reduce(x), replica_groups={}, to_apply=add
}
ENTRY e {
  x = s32[] parameter(0)
  id = u32[] replica-id()
  i = s32[] convert(id)
  ROOT c = s32[] conditional(i, x, x, x), branch_computations={met, fed, fed}
})");
  ProcessHost hosts[3];
  // The second gives what the program does not take; the third gives nothing.
  ASSERT_TRUE(hosts[1].infeed.Push({S32({2}, {1, 2})}).ok());
  const std::string message =
      Text(RunOn(GetParam(), text, {{S32({}, {1})}}, {.hosts = {&hosts[0], &hosts[1], &hosts[2]}}));
  EXPECT_THAT(message, HasSubstr("process (1, 0): "));
  EXPECT_THAT(message, HasSubstr("the host gives s32[2], the program takes "));
}

TEST_P(GridTest, EightThreadsRunGridsAtOnce) {
  const std::string text =
      absl::StrCat("HloModule m, replica_count=2, num_partitions=2\n", kAdd, R"(
ENTRY e {
  x = s32[4] parameter(0)
  a = s32[4] all-reduce(x), replica_groups={{0,1}}, channel_id=1, to_apply=add
  b = s32[4] all-to-all(a), replica_groups={{1,0}}, dimensions={0}
  ROOT c = s32[4] all-reduce(b), replica_groups={{0,3},{1,2}}, channel_id=1, use_global_device_ids=true, to_apply=add
})");
  auto module = ParseProgram(text, "p.hlo");
  ASSERT_TRUE(module.ok()) << module.status();
  auto executable = ClientFor(GetParam())->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 10; ++round) {
        Grids arguments;
        for (int p = 0; p < 4; ++p) arguments.push_back({S32({4}, {t, p, round, t * p})});
        const auto got = (*executable)->RunGridLiterals(arguments);
        ASSERT_TRUE(got.ok()) << got.status();
        EXPECT_EQ(Text(got), Text(RunOn("reference", text, arguments)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(HostQueue, ClosingEarlyIsAnErrorOnBothSides) {
  HostQueue queue(1);
  ASSERT_TRUE(queue.Push({S32({}, {1})}).ok());
  std::thread late(
      [&] { EXPECT_EQ(queue.Push({S32({}, {2})}).code(), absl::StatusCode::kFailedPrecondition); });
  queue.Close();
  late.join();
  EXPECT_TRUE(queue.Pop().ok());
  EXPECT_EQ(queue.Pop().status().code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace halyard
