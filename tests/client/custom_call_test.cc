// Custom calls as whole programs on every target.
#include "client/api/custom_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::ClientFor;
using ::testing::HasSubstr;
using testing::RunOn;

constexpr const char* kTargets[] = {"reference", "x86", "vulkan"};

Literal S32(std::vector<int64_t> dims, std::vector<int64_t> values) {
  return Literal::FromValues<int64_t>(ElementType::kS32, std::move(dims), values);
}
Literal Pred(bool value) {
  return Literal::FromValues<int64_t>(ElementType::kPred, {}, std::vector<int64_t>{value});
}
Literal F32(std::vector<int64_t> dims, std::vector<double> values) {
  return Literal::FromValues<double>(ElementType::kF32, std::move(dims), values);
}

void ExpectEverywhere(const std::string& text, const std::vector<Literal>& arguments,
                      const std::string& want) {
  for (const char* target : kTargets) EXPECT_EQ(RunOn(target, text, arguments), want) << target;
}

// The example of the documentation.
void MyFunc(void* out, void** in) {
  const float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  const float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  for (int i = 0; i < 9; ++i) z[i / 3][i % 3] = static_cast<float>(i);
  z[0][0] = x[1] + y[1][0];
}

// Computes s32[3] and f32[] from f32[3]: each element rounded, and the sum of the elements.
void Split(void* out, const void** in) {
  const float* x = static_cast<const float*>(in[0]);
  void** outs = static_cast<void**>(out);
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    static_cast<int32_t*>(outs[0])[i] = static_cast<int32_t>(x[i]);
    sum += x[i];
  }
  *static_cast<float*>(outs[1]) = sum;
}

void One(void* out, const void** in) {
  **static_cast<float**>(out) = *static_cast<const float*>(in[0]) + 1;
}

TEST(CustomCall, ThePlainForm) {
  RegisterCustomCall("test.myfunc", MyFunc);
  ExpectEverywhere(R"(HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  y = f32[2,3] parameter(1)
  z = f32[3,3] custom-call(x, y), custom_call_target="test.myfunc"
  ROOT n = f32[3,3] negate(z)
})",
                   {F32({2}, {1, 2}), F32({2, 3}, {10, 20, 30, 40, 50, 60})},
                   "{ {-42, -1, -2}, {-3, -4, -5}, {-6, -7, -8} }");
}

TEST(CustomCall, TuplesAreArraysOfPointers) {
  RegisterCustomCall("test.split", Split);
  RegisterCustomCall("test.one", One);
  ExpectEverywhere(
      R"(func.func @main(%x: tensor<3xf32>) -> (tensor<3xi32>, tensor<f32>, tensor<3xf32>) {
  %y = stablehlo.add %x, %x : tensor<3xf32>
  %0:2 = stablehlo.custom_call @test.split(%y) {api_version = 1 : i32} : (tensor<3xf32>) -> (tensor<3xi32>, tensor<f32>)
  return %0#0, %0#1, %y : tensor<3xi32>, tensor<f32>, tensor<3xf32>
})",
      {F32({3}, {1.25, -2, 3.5})}, "{2, -4, 7} 5.5 {2.5, -4, 7}");
  // Returns a tuple of one element.
  ExpectEverywhere(R"(HloModule m
ENTRY e { x = f32[] parameter(0) t = (f32[]) custom-call(x), custom_call_target="test.one"
  ROOT r = f32[] get-tuple-element(t), index=0 })",
                   {F32({}, {41})}, "42");
}

TEST(CustomCall, HandlersSeeTheConfigAndMayFail) {
  RegisterCustomCall("test.scale", [](const CustomCallArguments& arguments) -> absl::Status {
    if (arguments.config.empty()) return absl::InvalidArgumentError("no factor");
    float factor = static_cast<float>(std::stoi(std::string(arguments.config)));
    *static_cast<float*>(arguments.out[0]) = *static_cast<const float*>(arguments.in[0]) * factor;
    return absl::OkStatus();
  });
  auto text = [](const std::string& more) {
    return "HloModule m\nENTRY e { x = f32[] parameter(0) ROOT r = f32[] custom-call(x), "
           "custom_call_target=\"test.scale\", api_version=API_VERSION_TYPED_FFI" +
           more + " }";
  };
  ExpectEverywhere(text(", backend_config=\"3\""), {F32({}, {7})}, "21");
  for (const char* target : kTargets) {
    EXPECT_THAT(RunOn(target, text(""), {F32({}, {7})}), HasSubstr("no factor")) << target;
  }
}

TEST(CustomCall, InLoopsAndBranches) {
  RegisterCustomCall("test.increment", [](const CustomCallArguments& arguments) {
    *static_cast<int32_t*>(arguments.out[0]) = *static_cast<const int32_t*>(arguments.in[0]) + 1;
    return absl::OkStatus();
  });
  ExpectEverywhere(R"(HloModule m
cond { s = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 c = s32[] constant(5) ROOT r = pred[] compare(i, c), direction=LT }
body { s = (s32[], s32[]) parameter(0) i = s32[] get-tuple-element(s), index=0 x = s32[] get-tuple-element(s), index=1
  j = s32[] custom-call(i), custom_call_target="test.increment" y = s32[] multiply(x, j) ROOT r = (s32[], s32[]) tuple(j, y) }
yes { x = s32[] parameter(0) ROOT r = s32[] custom-call(x), custom_call_target="test.increment" }
no { x = s32[] parameter(0) ROOT r = s32[] negate(x) }
ENTRY e { x = s32[] parameter(0) p = pred[] parameter(1) zero = s32[] constant(0) init = (s32[], s32[]) tuple(zero, x)
  loop = (s32[], s32[]) while(init), condition=cond, body=body y = s32[] get-tuple-element(loop), index=1
  ROOT r = s32[] conditional(p, y, y), true_computation=yes, false_computation=no })",
                   {S32({}, {2}), Pred(true)}, "241");
}

// Calls with side effects keep the program's order, and are kept even if nothing uses their
// results.
TEST(CustomCall, SideEffectsInOrder) {
  static std::mutex mutex;
  static std::string log;
  RegisterCustomCall("test.log", [](const CustomCallArguments& arguments) {
    std::lock_guard<std::mutex> lock(mutex);
    absl::StrAppend(&log, arguments.config, *static_cast<const int32_t*>(arguments.in[0]), " ");
    return absl::OkStatus();
  });
  constexpr char kText[] = R"(func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %y = stablehlo.add %x, %x : tensor<i32>
  stablehlo.custom_call @test.log(%x) {has_side_effect = true, backend_config = "a"} : (tensor<i32>) -> ()
  stablehlo.custom_call @test.log(%y) {has_side_effect = true, backend_config = "b"} : (tensor<i32>) -> ()
  %z = stablehlo.multiply %y, %y : tensor<i32>
  stablehlo.custom_call @test.log(%z) {has_side_effect = true, backend_config = "c"} : (tensor<i32>) -> ()
  %w = stablehlo.custom_call @test.log(%z) {backend_config = "unused"} : (tensor<i32>) -> tensor<i32>
  stablehlo.custom_call @test.log(%x) {has_side_effect = true, backend_config = "d"} : (tensor<i32>) -> ()
  return %z : tensor<i32>
})";
  for (const char* target : {"x86", "vulkan"}) {
    log.clear();
    EXPECT_EQ(RunOn(target, kText, {S32({}, {3})}), "36") << target;
    EXPECT_EQ(log, "a3 b6 c36 d3 ") << target;
  }
}

TEST(CustomCall, WhatIsNotThereIsAnErrorBeforeRunning) {
  constexpr char kText[] = R"(HloModule m
ENTRY e {
  x = f32[] parameter(0)
  ROOT r = f32[] custom-call(x), custom_call_target="nobody.has.this"
})";
  RegisterCustomCall("test.plain", MyFunc);
  for (const char* target : kTargets) {
    auto module = ParseProgram(kText, "p.hlo");
    ASSERT_TRUE(module.ok()) << module.status();
    Client* client = ClientFor(target);
    ASSERT_NE(client, nullptr) << target;
    EXPECT_EQ(client->Compile(**module).status().message(),
              "p.hlo:4:8: error: custom-call r: there is no function 'nobody.has.this': register "
              "it, or load a library that has it")
        << target;
    EXPECT_THAT(
        RunOn(target,
              absl::StrReplaceAll(kText, {{"nobody.has.this\"",
                                           "test.plain\", api_version=API_VERSION_TYPED_FFI"}}),
              {F32({}, {1})}),
        HasSubstr("'test.plain' is a plain function, but the call says "
                  "API_VERSION_TYPED_FFI"))
        << target;
  }
}

TEST(CustomCall, AnnotationsNeedNoFunction) {
  ExpectEverywhere(R"(HloModule m
ENTRY e { x = f32[2] parameter(0) s = f32[2] custom-call(x), custom_call_target="Sharding"
  ROOT r = f32[2] negate(s) })",
                   {F32({2}, {1, 2})}, "{-1, -2}");
}

// What JAX's with_layout_constraint becomes. Whatever the layouts, the values stay.
TEST(CustomCall, LayoutConstraintsNeedNoFunction) {
  for (const char* attributes :
       {"",
        "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], "
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>], ",
        "operand_layouts = [dense<[1, 0]> : tensor<2xindex>], "
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>], api_version = 4 : i32, "}) {
    const bool typed = std::string(attributes).find("api_version") != std::string::npos;
    ExpectEverywhere(absl::StrCat("func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {\n"
                                  "  %0 = stablehlo.custom_call @LayoutConstraint(%x) {",
                                  attributes, "backend_config = ", typed ? "{}" : "\"\"",
                                  "} : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
                                  "  %1 = stablehlo.negate %0 : tensor<2x2xf32>\n"
                                  "  return %1 : tensor<2x2xf32>\n}"),
                     {F32({2, 2}, {1, 2, 3, 4})}, "{ {-1, -2}, {-3, -4} }");
  }
}

TEST(CustomCall, TopKNeedsNoFunction) {
  ExpectEverywhere(R"(HloModule m
ENTRY e { x = f32[4] parameter(0)
  t = (f32[2], s32[2]) custom-call(x), custom_call_target="TopK"
  ROOT r = s32[2] get-tuple-element(t), index=1 })",
                   {F32({4}, {3, 1, 4, 2})}, "{2, 0}");
}

TEST(LoadCustomCalls, NoSuchLibrary) {
  EXPECT_THAT(std::string(LoadCustomCalls("there_is_none.so").message()),
              HasSubstr("cannot load there_is_none.so"));
}

}  // namespace
}  // namespace halyard
