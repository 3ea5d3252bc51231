// Collectives, queues and channels: programs are read, then run on a grid of reference evaluators.
#include "frontend/hlo/processes/process_grid.h"
#include "gmock/gmock.h"
#include "tests/frontend/stablehlo/evaluating.h"

namespace halyard::stablehlo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Strings = std::vector<std::string>;

Strings RunOn(const std::string& text, const std::vector<std::vector<hlo::Literal>>& arguments,
              std::vector<hlo::ProcessHost>* hosts = nullptr) {
  auto module = ParseStableHlo(text, "p.mlir");
  if (!module.ok()) return {std::string(module.status().message())};
  auto results = hlo::RunGrid(**module, arguments, {.hosts = hosts});
  if (!results.ok()) return {std::string(results.status().message())};
  Strings texts;
  for (const hlo::Literal& result : *results) texts.push_back(result.ToString());
  return texts;
}

std::string Module(int replicas, int partitions, const std::string& function) {
  return "module attributes {mhlo.num_partitions = " + std::to_string(partitions) +
         " : i32, mhlo.num_replicas = " + std::to_string(replicas) + " : i32} {\n" + function +
         "\n}\n";
}

TEST(Collectives, AllReduceOfSeveralWithProperties) {
  EXPECT_THAT(
      RunOn(Module(2, 1, R"(
func.func @main(%x: tensor<2xf32>, %y: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
  %0:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<f32>
})"),
            {{Floats({2}, {1, 2.5}), Floats({}, {1})}, {Floats({2}, {3, 5.25}), Floats({}, {2})}}),
      ElementsAre("({4, 7.75}, 3)", "({4, 7.75}, 3)"));
}

// Groups of three members and of one. The shorter one is padded with -1.
TEST(Collectives, RaggedGroups) {
  EXPECT_THAT(RunOn(Module(4, 1, R"(
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 3, 1], [2, -1, -1]]> : tensor<2x3xi64>} : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
})"),
                    {{Ints32({}, {2})}, {Ints32({}, {3})}, {Ints32({}, {5})}, {Ints32({}, {7})}}),
              ElementsAre("42", "42", "5", "42"));
}

TEST(Collectives, TheOthers) {
  EXPECT_THAT(RunOn(Module(1, 2, R"(
func.func @main(%x: tensor<2x2xi32>) -> (tensor<2x4xi32>, tensor<1x2xi32>, tensor<4x1xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<ui32>, tensor<ui32>) {
  %g = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids} : (tensor<2x2xi32>) -> tensor<2x4xi32>
  %s = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %m = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64} : (tensor<2x2xi32>) -> tensor<1x2xi32>
  %t = "stablehlo.all_to_all"(%x) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64} : (tensor<2x2xi32>) -> tensor<4x1xi32>
  %p = "stablehlo.collective_permute"(%x) {channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %b = "stablehlo.collective_broadcast"(%x) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %r = stablehlo.replica_id : tensor<ui32>
  %q = stablehlo.partition_id : tensor<ui32>
  return %g, %s, %t, %p, %b, %r, %q : tensor<2x4xi32>, tensor<1x2xi32>, tensor<4x1xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<ui32>, tensor<ui32>
})"),
                    {{Ints32({2, 2}, {1, 2, 3, 4})}, {Ints32({2, 2}, {5, 6, 7, 8})}}),
              ElementsAre("({ {1, 2, 5, 6}, {3, 4, 7, 8} }, { {5, 6} }, { {6}, {8}, {2}, {4} }, "
                          "{ {0, 0}, {0, 0} }, { {5, 6}, {7, 8} }, 0, 0)",
                          "({ {1, 2, 5, 6}, {3, 4, 7, 8} }, { {7, 8} }, { {5}, {7}, {1}, {3} }, "
                          "{ {1, 2}, {3, 4} }, { {5, 6}, {7, 8} }, 0, 1)"));
}

// Without a module, the entry states the numbers of replicas and partitions.
TEST(Collectives, TheEntrysGrid) {
  EXPECT_THAT(RunOn(R"(
func.func @main() -> tensor<ui32> attributes {mhlo.num_replicas = 3 : i32} {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
})",
                    {{}}),
              ElementsAre("0", "1", "2"));
}

constexpr char kFeed[] = R"(
func.func @main(%t: !stablehlo.token) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %a:2 = "stablehlo.infeed"(%t) {infeed_config = "one"} : (!stablehlo.token) -> (tensor<2x2xi32>, !stablehlo.token)
  %b:2 = "stablehlo.infeed"(%a#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2x2xi32>, !stablehlo.token)
  %o = "stablehlo.outfeed"(%b#0, %a#0, %b#1) {outfeed_config = ""} : (tensor<2x2xi32>, tensor<2x2xi32>, !stablehlo.token) -> !stablehlo.token
  return %a#0, %b#0 : tensor<2x2xi32>, tensor<2x2xi32>
})";

TEST(Queues, InTurn) {
  std::vector<hlo::ProcessHost> hosts(1);
  hosts[0].infeed = {Ints32({2, 2}, {1, 2, 3, 4}), Ints32({2, 2}, {5, 6, 7, 8})};
  EXPECT_THAT(RunOn(kFeed, {{hlo::Literal::Token()}}, &hosts),
              ElementsAre("({ {1, 2}, {3, 4} }, { {5, 6}, {7, 8} })"));
  ASSERT_EQ(hosts[0].outfeed.size(), 1u);
  EXPECT_EQ(hosts[0].outfeed[0].ToString(), "({ {5, 6}, {7, 8} }, { {1, 2}, {3, 4} })");
  EXPECT_THAT(RunOn(kFeed, {{hlo::Literal::Token()}}, &hosts)[0], HasSubstr("p.mlir:3:10: infeed"));
}

// A loop that reads four times. The tokens that it carries determine the order.
TEST(Queues, InLoops) {
  std::vector<hlo::ProcessHost> hosts(1);
  for (int i = 1; i <= 4; ++i) hosts[0].infeed.push_back(Ints32({}, {i}));
  EXPECT_THAT(RunOn(R"(
func.func @main() -> tensor<i32> {
  %t = stablehlo.create_token : !stablehlo.token
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %v = %zero, %k = %t) : tensor<i32>, tensor<i32>, !stablehlo.token
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %f:2 = "stablehlo.infeed"(%k) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %m = stablehlo.multiply %v, %ten : tensor<i32>
    %w = stablehlo.add %m, %f#0 : tensor<i32>
    %j = stablehlo.after_all %f#1, %k : !stablehlo.token
    stablehlo.return %n, %w, %j : tensor<i32>, tensor<i32>, !stablehlo.token
  }
  return %r#1 : tensor<i32>
})",
                    {{}}, &hosts),
              ElementsAre("1234"));
}

// Replica 0 sends two values, replica 1 receives them.
TEST(Channels, BetweenReplicas) {
  EXPECT_THAT(
      RunOn(Module(2, 1, R"(
func.func @main(%x: tensor<2xi32>, %y: tensor<f32>) -> (tensor<2xi32>, tensor<f32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %id = stablehlo.replica_id : tensor<ui32>
  %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %r:2 = "stablehlo.case"(%i) ({
    %s = "stablehlo.send"(%x, %y, %t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false} : (tensor<2xi32>, tensor<f32>, !stablehlo.token) -> !stablehlo.token
    stablehlo.return %x, %y : tensor<2xi32>, tensor<f32>
  }, {
    %v:3 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>} : (!stablehlo.token) -> (tensor<2xi32>, tensor<f32>, !stablehlo.token)
    stablehlo.return %v#0, %v#1 : tensor<2xi32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<2xi32>, tensor<f32>)
  return %r#0, %r#1 : tensor<2xi32>, tensor<f32>
})"),
            {{Ints32({2}, {1, 2}), Floats({}, {0.5})}, {Ints32({2}, {7, 8}), Floats({}, {9})}}),
      ElementsAre("({1, 2}, 0.5)", "({1, 2}, 0.5)"));
}

// Sends %x along the pairs, receives, and returns what came.
std::string Passed(const std::string& pairs, const std::string& others = "") {
  const std::string handle = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, ";
  const std::string attributes =
      "<{" + handle + "is_host_transfer = false, source_target_pairs = " + pairs + "}>" + others;
  return Module(1, 3,
                R"(
func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) )" +
                    attributes +
                    R"( : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %r:2 = "stablehlo.recv"(%s) )" +
                    attributes + R"( : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %r#0 : tensor<2xi32>
})");
}

TEST(Channels, PairsSayWhoSendsToWhom) {
  const std::vector<std::vector<hlo::Literal>> arguments = {
      {Ints32({2}, {1, 2})}, {Ints32({2}, {3, 4})}, {Ints32({2}, {5, 6})}};
  EXPECT_THAT(RunOn(Passed("dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"), arguments),
              ElementsAre("{0, 0}", "{1, 2}", "{3, 4}"));
  EXPECT_THAT(RunOn(Passed("dense<[[2, 0], [0, 1], [1, 2]]> : tensor<3x2xi64>"), arguments),
              ElementsAre("{5, 6}", "{1, 2}", "{3, 4}"));
  // Newer programs write those of older ones so, which have none.
  EXPECT_THAT(RunOn(Passed("dense<> : tensor<0x0xi64>"), arguments)[0],
              HasSubstr("is the sender of channel 1"));
  // This is how XLA writes HLO's.
  EXPECT_THAT(RunOn(Passed("dense<> : tensor<0x0xi64>",
                           " {mhlo.frontend_attributes = {_xla_send_recv_source_target_pairs = "
                           "\"{{1,0}}\"}}"),
                    arguments),
              ElementsAre("{3, 4}", "{0, 0}", "{0, 0}"));
}

TEST(Channels, WrongPairs) {
  const auto wrong = [](const std::string& pairs) { return RunOn(Passed(pairs), {{}})[0]; };
  EXPECT_THAT(wrong("dense<[[0, 1, 2]]> : tensor<1x3xi64>"),
              HasSubstr("p.mlir:5:149: error: 'stablehlo.send': 'source_target_pairs' must be of "
                        "pairs, is tensor<1x3xi64>"));
  EXPECT_THAT(wrong("dense<0> : tensor<2xi64>"),
              HasSubstr("p.mlir:5:149: error: 'stablehlo.send': 'source_target_pairs' must be a "
                        "two-dimensional tensor of ids"));
  EXPECT_THAT(wrong("dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>"),
              HasSubstr("p.mlir:5:8: error: send send: source_target_pairs: 0 is a source twice"));
  EXPECT_THAT(wrong("dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>"),
              HasSubstr("source_target_pairs: 1 is a target twice"));
  EXPECT_THAT(wrong("dense<[[0, -1]]> : tensor<1x2xi64>"),
              HasSubstr("source_target_pairs: source_target_pairs has {0,-1}"));
  EXPECT_THAT(wrong("dense<[[0, 3]]> : tensor<1x2xi64>"),
              HasSubstr("source_target_pairs: partition 3 is not in [0, 3)"));
}

TEST(Channels, OfTheHost) {
  std::vector<hlo::ProcessHost> hosts(1);
  hosts[0].to_device[0] = {Ints32({}, {20})};
  EXPECT_THAT(RunOn(R"(
func.func @main(%t: !stablehlo.token) -> tensor<i32> {
  %v:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %d = stablehlo.add %v#0, %v#0 : tensor<i32>
  %s = "stablehlo.send"(%d, %v#1) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>, is_host_transfer = true} : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %v#0 : tensor<i32>
})",
                    {{hlo::Literal::Token()}}, &hosts),
              ElementsAre("20"));
  ASSERT_EQ(hosts[0].to_host[0].size(), 1u);
  EXPECT_EQ(hosts[0].to_host[0][0].ToString(), "(40)");
}

TEST(Collectives, WrongAttributes) {
  auto gather = [](const std::string& attributes) {
    return RunOn(R"(func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.all_gather"(%x) {)" +
                     attributes + R"(} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
})",
                 {{Ints32({2}, {1, 2})}})[0];
  };
  EXPECT_EQ(gather("all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>"),
            "{1, 2}");
  EXPECT_EQ(gather("all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>"),
            "{1, 2}");
  EXPECT_THAT(gather("all_gather_dim = 0 : i64"), HasSubstr("'replica_groups' is missing"));
  EXPECT_THAT(gather("replica_groups = dense<0> : tensor<1x1xi64>"),
              HasSubstr("'all_gather_dim' is missing"));
  // Groups of one size are not filled up.
  EXPECT_THAT(gather("all_gather_dim = 0 : i64, replica_groups = dense<[[0, -1]]> : "
                     "tensor<1x2xi64>"),
              HasSubstr("p.mlir:2:8: error: all-gather all-gather: C4: replica_groups has -1"));
  EXPECT_THAT(gather("all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1xi64>"),
              HasSubstr("must be a two-dimensional tensor of ids"));
  EXPECT_THAT(gather("all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, "
                     "channel_handle = #stablehlo.channel_handle<handle = 1, type = 9>"),
              HasSubstr("there is no channel type 9"));
  EXPECT_THAT(RunOn(R"(func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<-1> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
})",
                    {{Ints32({2}, {1, 2})}})[0],
              HasSubstr("C2: replica_groups has -1"));
}

}  // namespace
}  // namespace halyard::stablehlo
