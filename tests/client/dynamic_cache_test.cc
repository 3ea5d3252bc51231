// Tests how often a program with dynamic sizes is compiled, and what is cached.
#include <atomic>
#include <string>
#include <vector>

#include "client/api/client.h"
#include "client/api/dynamic_executable.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/dynamic_programs.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Ints32;
using testing::kAdd;
using testing::kBranch;
using testing::kLoop;
using testing::kPositive;
using testing::kShrink;
using testing::Parse;
using testing::TextOf;

class CountingTest : public ::testing::Test {
 protected:
  void Make(const std::string& text, size_t capacity) {
    client_ = *Client::Create({.target = "reference"});
    absl::StatusOr<std::unique_ptr<hlo::Module>> prepared = hlo::PrepareDynamic(*Parse(text));
    ASSERT_TRUE(prepared.ok());
    executable_ = *MakeDynamicExecutable(
        *std::move(prepared),
        [this](const hlo::Module& module) {
          ++compiles_;
          EXPECT_FALSE(hlo::NeedsSpecialization(module));
          return client_->Compile(module);
        },
        capacity);
  }
  std::string Run(const std::vector<Literal>& arguments) {
    std::vector<Buffer> buffers;
    for (const Literal& argument : arguments) {
      buffers.push_back(*client_->BufferFromLiteral(argument));
    }
    absl::StatusOr<std::vector<Buffer>> results = executable_->Run(buffers, {});
    if (!results.ok()) return std::string(results.status().message());
    std::vector<Literal> literals;
    for (const Buffer& result : *results) literals.push_back(*result.ToLiteral());
    return TextOf(literals);
  }
  std::unique_ptr<Client> client_;
  std::unique_ptr<Executable> executable_;
  std::atomic<int> compiles_ = 0;
};

TEST_F(CountingTest, CompilesOncePerShapes) {
  Make(kAdd, 2);
  auto run = [&](int64_t n) {
    const Literal x = Floats({n, 2}, std::vector<double>(2 * n, 1));
    return Run({x, x});
  };
  EXPECT_EQ(run(1), "f32[1,2]{ {2, 2} }");
  run(1);
  EXPECT_EQ(compiles_, 1);
  run(2);
  run(1);
  EXPECT_EQ(compiles_, 2);
  run(3);  // drops the program for 2
  EXPECT_EQ(compiles_, 3);
  run(1);
  EXPECT_EQ(compiles_, 3);
  run(2);
  EXPECT_EQ(compiles_, 4);
}

TEST_F(CountingTest, WorksWithRoomForOneProgram) {
  Make(kPositive, 1);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Run({Floats({4}, {-1, 2, 0, 4})}), "f32[2]{4, 8} s64[2]{1, 3}");
  }
}

TEST_F(CountingTest, StepsGiveWhatTheEvaluatorGives) {
  for (const char* text : {kPositive, kShrink, kBranch, kLoop}) {
    Make(text, 8);
    std::unique_ptr<Executable> reference = *client_->Compile(*Parse(text));
    std::vector<Literal> arguments;
    for (const Shape& shape : reference->parameter_shapes()) {
      if (shape.element_type() == ElementType::kPred) {
        arguments.push_back(
            Literal::FromValues<int64_t>(ElementType::kPred, {}, std::vector<int64_t>{1}));
      } else if (shape.rank() == 0) {
        arguments.push_back(Ints32({}, {3}));
      } else {
        arguments.push_back(shape.element_type() == ElementType::kF32
                                ? Floats({5}, {1, -2, 3, 4, -5})
                                : Ints32({5}, {4, 3, 9, 1, 2}));
      }
    }
    EXPECT_EQ(Run(arguments), TextOf(reference->RunLiterals(arguments))) << text;
  }
}

// An argument and a loop that need the same size share one program.
TEST_F(CountingTest, IterationsOfOneSizeShareOneProgram) {
  constexpr char kFixed[] =
      R"(func.func @main(%x: tensor<?xi32>, %k: tensor<i32>) -> tensor<?xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%s = %x, %i = %z) : tensor<?xi32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %l = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
      %q = stablehlo.dynamic_iota %l, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
      %t = stablehlo.add %s, %q : tensor<?xi32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %t, %j : tensor<?xi32>, tensor<i32>
    }
  return %r#0 : tensor<?xi32>
})";
  Make(kFixed, 16);
  EXPECT_EQ(Run({Ints32({4}, {1, 1, 1, 1}), Ints32({}, {4})}), "s32[4]{1, 5, 9, 13}");
  EXPECT_LE(compiles_, 5);  // one for each part of the program, not for each iteration
  EXPECT_THAT(Run({Ints32({4}, {1, 1, 1, 1}), Ints32({}, {3})}), HasSubstr("C1"));
}

}  // namespace
}  // namespace halyard
