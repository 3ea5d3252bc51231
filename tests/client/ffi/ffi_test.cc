// Functions of XLA's foreign function interface, written against its C header, on every target.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "absl/strings/str_cat.h"
#include "client/api/client.h"
#include "client/ffi/ffi_api.h"
#include "client/ffi/handler.h"
#include "tests/client/clients.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::HasSubstr;
using testing::RunOn;

constexpr const char* kTargets[] = {"reference", "x86", "vulkan"};

// If the call asks for the version, answers it and returns true.
bool AnswerVersion(XLA_FFI_CallFrame* frame, int minor = XLA_FFI_API_MINOR) {
  if (frame->extension_start == nullptr ||
      frame->extension_start->type != XLA_FFI_Extension_Metadata) {
    return false;
  }
  auto* extension = reinterpret_cast<XLA_FFI_Metadata_Extension*>(frame->extension_start);
  extension->metadata->api_version.major_version = XLA_FFI_API_MAJOR;
  extension->metadata->api_version.minor_version = minor;
  return true;
}

XLA_FFI_Error* Fail(XLA_FFI_CallFrame* frame, const std::string& message, XLA_FFI_Error_Code code) {
  XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, nullptr, message.c_str(),
                                    code};
  return frame->api->XLA_FFI_Error_Create(&args);
}

const XLA_FFI_Buffer& Argument(XLA_FFI_CallFrame* frame, int i) {
  return *static_cast<XLA_FFI_Buffer*>(frame->args.args[i]);
}
const XLA_FFI_Buffer& Result(XLA_FFI_CallFrame* frame, int i) {
  return *static_cast<XLA_FFI_Buffer*>(frame->rets.rets[i]);
}

std::string Describe(const XLA_FFI_Buffer& buffer) {
  std::string text = absl::StrCat("type ", buffer.dtype, " [");
  for (int64_t d = 0; d < buffer.rank; ++d) absl::StrAppend(&text, d ? "," : "", buffer.dims[d]);
  return text + "]";
}

std::string DescribeScalar(XLA_FFI_DataType type, const void* value) {
  switch (type) {
    case XLA_FFI_DataType_PRED:
      return *static_cast<const bool*>(value) ? "true" : "false";
    case XLA_FFI_DataType_U8:
      return absl::StrCat("u8 ", *static_cast<const uint8_t*>(value));
    case XLA_FFI_DataType_S32:
      return absl::StrCat("s32 ", *static_cast<const int32_t*>(value));
    case XLA_FFI_DataType_S64:
      return absl::StrCat("s64 ", *static_cast<const int64_t*>(value));
    case XLA_FFI_DataType_F32:
      return absl::StrCat("f32 ", *static_cast<const float*>(value));
    default:
      return absl::StrCat("type ", type);
  }
}

std::string Describe(const XLA_FFI_Attrs& attributes) {
  std::string text;
  for (int64_t i = 0; i < attributes.size; ++i) {
    absl::StrAppend(&text, i ? ", " : "",
                    absl::string_view(attributes.names[i]->ptr, attributes.names[i]->len), " = ");
    const void* value = attributes.attrs[i];
    if (attributes.types[i] == XLA_FFI_AttrType_SCALAR) {
      const auto& scalar = *static_cast<const XLA_FFI_Scalar*>(value);
      text += DescribeScalar(scalar.dtype, scalar.value);
    } else if (attributes.types[i] == XLA_FFI_AttrType_STRING) {
      const auto& span = *static_cast<const XLA_FFI_ByteSpan*>(value);
      absl::StrAppend(&text, "'", absl::string_view(span.ptr, span.len), "'");
    } else if (attributes.types[i] == XLA_FFI_AttrType_DICTIONARY) {
      absl::StrAppend(&text, "{", Describe(*static_cast<const XLA_FFI_Attrs*>(value)), "}");
    } else {
      const auto& array = *static_cast<const XLA_FFI_Array*>(value);
      text += "[";
      for (size_t j = 0; j < array.size; ++j) {
        const size_t bytes = array.dtype == XLA_FFI_DataType_S64 ? 8 : 4;
        absl::StrAppend(
            &text, j ? " " : "",
            DescribeScalar(array.dtype, static_cast<const char*>(array.data) + bytes * j));
      }
      text += "]";
    }
  }
  return text;
}

// Fails with a message that describes the arguments of the call.
XLA_FFI_Error* Tell(XLA_FFI_CallFrame* frame) {
  if (AnswerVersion(frame)) return nullptr;
  std::string text;
  for (int64_t i = 0; i < frame->args.size; ++i)
    absl::StrAppend(&text, Describe(Argument(frame, static_cast<int>(i))), " ");
  text += "-> ";
  for (int64_t i = 0; i < frame->rets.size; ++i)
    absl::StrAppend(&text, Describe(Result(frame, static_cast<int>(i))), " ");
  absl::StrAppend(&text, "with ", Describe(frame->attrs));
  return Fail(frame, text, XLA_FFI_Error_Code_DATA_LOSS);
}

// Copies its argument's memory, and fills its second result from the end.
XLA_FFI_Error* Copy(XLA_FFI_CallFrame* frame) {
  if (AnswerVersion(frame)) return nullptr;
  size_t count = 1;
  for (int64_t d = 0; d < Argument(frame, 0).rank; ++d) count *= Argument(frame, 0).dims[d];
  const auto* from = static_cast<const float*>(Argument(frame, 0).data);
  for (size_t i = 0; i < count; ++i) {
    static_cast<float*>(Result(frame, 0).data)[i] = from[i];
    if (frame->rets.size > 1) static_cast<float*>(Result(frame, 1).data)[i] = from[count - 1 - i];
  }
  return nullptr;
}

// Adds one to each element of the result, which shares the argument's memory.
XLA_FFI_Error* AddOneInPlace(XLA_FFI_CallFrame* frame) {
  if (AnswerVersion(frame)) return nullptr;
  if (Argument(frame, 0).data != Result(frame, 0).data)
    return Fail(frame, "not the same memory", XLA_FFI_Error_Code_INTERNAL);
  for (int64_t i = 0; i < Result(frame, 0).dims[0]; ++i)
    static_cast<float*>(Result(frame, 0).data)[i] += 1;
  return nullptr;
}

// Finishes on another thread: successfully if the argument is 1, else with an error.
XLA_FFI_Error* Later(XLA_FFI_CallFrame* frame) {
  if (AnswerVersion(frame)) return nullptr;
  XLA_FFI_Future_Create_Args create = {XLA_FFI_Future_Create_Args_STRUCT_SIZE, nullptr, nullptr};
  if (XLA_FFI_Error* error = frame->api->XLA_FFI_Future_Create(&create)) return error;
  frame->future = create.future;
  const float value = *static_cast<const float*>(Argument(frame, 0).data);
  auto* result = static_cast<float*>(Result(frame, 0).data);
  const XLA_FFI_Api* api = frame->api;
  std::thread([=, future = create.future] {
    *result = 2 * value;
    if (value == 1) {
      XLA_FFI_Future_SetAvailable_Args args = {XLA_FFI_Future_SetAvailable_Args_STRUCT_SIZE,
                                               nullptr, future};
      api->XLA_FFI_Future_SetAvailable(&args);
      return;
    }
    XLA_FFI_Error_Create_Args what = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, nullptr, "too late",
                                      XLA_FFI_Error_Code_DEADLINE_EXCEEDED};
    XLA_FFI_Future_SetError_Args args = {XLA_FFI_Future_SetError_Args_STRUCT_SIZE, nullptr, future,
                                         api->XLA_FFI_Error_Create(&what)};
    api->XLA_FFI_Future_SetError(&args);
  }).detach();
  return nullptr;
}

XLA_FFI_Error* AskForStream(XLA_FFI_CallFrame* frame) {
  if (AnswerVersion(frame)) return nullptr;
  XLA_FFI_Stream_Get_Args args = {XLA_FFI_Stream_Get_Args_STRUCT_SIZE, nullptr, frame->ctx,
                                  nullptr};
  return frame->api->XLA_FFI_Stream_Get(&args);
}

XLA_FFI_Error* FromTheFuture(XLA_FFI_CallFrame* frame) {
  AnswerVersion(frame, XLA_FFI_API_MINOR + 1);
  return nullptr;
}

Literal F32(std::vector<int64_t> dims, std::vector<double> values) {
  return Literal::FromValues<double>(ElementType::kF32, std::move(dims), values);
}

// The function copies memory as it is: see Ffi.Layouts.
constexpr char kTurned[] =
    R"(func.func @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0:2 = stablehlo.custom_call @ffi.copy(%x) {api_version = 4 : i32,
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
      result_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>]} :
      (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xf32>
})";
constexpr char kTurnedResult[] = "{ {1, 4, 2}, {5, 3, 6} } { {6, 5, 4}, {3, 2, 1} }";

class Ffi : public ::testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    for (auto [name, handler] : {std::pair<const char*, XLA_FFI_Handler*>{"ffi.tell", Tell},
                                 {"ffi.copy", Copy},
                                 {"ffi.add_one", AddOneInPlace},
                                 {"ffi.later", Later},
                                 {"ffi.stream", AskForStream}}) {
      ASSERT_TRUE(RegisterFfiHandler(name, handler).ok());
    }
  }
  std::string Run(const std::string& text, const std::vector<Literal>& arguments) {
    return RunOn(GetParam(), text, arguments);
  }
};

TEST_P(Ffi, TypesAndAttributes) {
  EXPECT_THAT(
      Run(R"(func.func @main(%x: tensor<2x3xf32>, %y: tensor<i8>) -> tensor<4xcomplex<f32>> {
  %0:2 = stablehlo.custom_call @ffi.tell(%x, %y) {api_version = 4 : i32, backend_config = {
      name = "a \"b\"", count = -3 : i32, big = 5, letter = 85 : ui8, half = 0.5 : f32, on = true,
      off = false, list = array<i64: 1, -2>, dense = dense<[1.5, 2.5]> : tensor<2xf32>,
      all = dense<7> : tensor<3xi32>, inner = {z = 1 : i32, a = "x"}}} :
      (tensor<2x3xf32>, tensor<i8>) -> (tensor<4xcomplex<f32>>, tensor<0xi1>)
  return %0#0 : tensor<4xcomplex<f32>>
})",
          {F32({2, 3}, {1, 2, 3, 4, 5, 6}),
           Literal::FromValues<int64_t>(ElementType::kS8, {}, std::vector<int64_t>{1})}),
      HasSubstr("type 11 [2,3] type 2 [] -> type 15 [4] type 1 [0] with "
                "all = [s32 7 s32 7 s32 7], big = s64 5, count = s32 -3, "
                "dense = [f32 1.5 f32 2.5], half = f32 0.5, inner = {a = 'x', z = s32 1}, "
                "letter = u8 85, list = [s64 1 s64 -2], name = 'a \"b\"', off = false, on = true"));
}

// JAX writes version 1, together with a dictionary of this name, although the call is of version 4.
TEST_P(Ffi, AsJaxWritesThem) {
  EXPECT_THAT(Run(R"(func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @ffi.tell(%x) {backend_config = "",
      mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})",
                  {F32({}, {1})}),
              HasSubstr("type 11 [] -> type 11 [] with uplo = u8 76"));
}

// Eigenvalues are loops, but not where the application has LAPACK's function; equations always are.
TEST_P(Ffi, DecompositionsThatTheApplicationHas) {
  const auto eigenvalues = [&](const char* letter, const char* type) {
    const std::string matrix = absl::StrCat("tensor<2x2x", type, ">"),
                      vector = absl::StrCat("tensor<2x", type, ">");
    return RunOn(GetParam(),
                 absl::StrCat("func.func @main(%x: ", matrix, ") -> ", vector,
                              " {\n  %0:3 = stablehlo.custom_call @lapack_", letter,
                              "syevd_ffi(%x) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : "
                              "ui8}} : (",
                              matrix, ") -> (", matrix, ", ", vector,
                              ", tensor<i32>)\n  return %0#1 : ", vector, "\n}\n"),
                 {Literal::FromValues<double>(
                     *type == 'f' && type[1] == '3' ? ElementType::kF32 : ElementType::kF64, {2, 2},
                     {3, 0, 0, 2})});
  };
  ASSERT_TRUE(RegisterFfiHandler("lapack_dsyevd_ffi", Tell).ok());
  ASSERT_TRUE(RegisterFfiHandler("lapack_spotrf_ffi", Tell).ok());
  EXPECT_EQ(eigenvalues("s", "f32"), "{2, 3}");
  EXPECT_THAT(eigenvalues("d", "f64"), HasSubstr("with mode = u8 86, uplo = u8 76"));
  EXPECT_EQ(Run(R"(func.func @main(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%x) {mhlo.backend_config = {uplo = 76 : ui8}} :
      (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<i32>)
  return %0#0 : tensor<1x1xf32>
})",
                {F32({1, 1}, {9})}),
            "{ {3} }");
}

// The function sees the program's dimensions, and memory in the order that the call requests.
TEST_P(Ffi, Layouts) {
  EXPECT_EQ(Run(kTurned, {F32({2, 3}, {1, 2, 3, 4, 5, 6})}), kTurnedResult);
  // The result is one array, not a tuple. It has three dimensions, whose order is not its own
  // inverse.
  EXPECT_EQ(Run(R"(func.func @main(%x: tensor<2x1x3xf32>) -> tensor<2x1x3xf32> {
  %0 = stablehlo.custom_call @ffi.copy(%x) {api_version = 4 : i32,
      operand_layouts = [dense<[0, 2, 1]> : tensor<3xindex>],
      result_layouts = [dense<[0, 2, 1]> : tensor<3xindex>]} :
      (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  return %0 : tensor<2x1x3xf32>
})",
                {F32({2, 1, 3}, {1, 2, 3, 4, 5, 6})}),
            "{ { {1, 2, 3} }, { {4, 5, 6} } }");
}

TEST_P(Ffi, ResultsInTheMemoryOfOperands) {
  EXPECT_EQ(Run(R"(func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.custom_call @ffi.add_one(%x) {api_version = 4 : i32,
      output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [],
        operand_index = 0, operand_tuple_indices = []>]} : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %x : tensor<3xf32>, tensor<3xf32>
})",
                {F32({3}, {1, 2, 3})}),
            "{2, 3, 4} {1, 2, 3}");
}

TEST_P(Ffi, FunctionsThatFinishLater) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @ffi.later(%x) {api_version = 4 : i32} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
})";
  EXPECT_EQ(Run(kText, {F32({}, {1})}), "2");
  EXPECT_THAT(Run(kText, {F32({}, {3})}), HasSubstr("too late"));
}

TEST_P(Ffi, WhatCannotBeHandedOver) {
  auto call = [](absl::string_view name, absl::string_view type, absl::string_view more) {
    return absl::StrCat("func.func @main(%x: tensor<", type,
                        ">) -> tensor<f32> {\n  %0 = ", "stablehlo.custom_call @", name, "(%x) {",
                        more, "} : (tensor<", type,
                        ">) -> tensor<f32>\n  return %0 : tensor<f32>\n}");
  };
  EXPECT_THAT(Run(call("ffi.stream", "f32", "api_version = 4 : i32"), {F32({}, {1})}),
              HasSubstr("without a stream"));
  EXPECT_THAT(Run(call("ffi.tell", "i4", "api_version = 4 : i32"),
                  {Literal::FromValues<int64_t>(ElementType::kS4, {}, std::vector<int64_t>{1})}),
              HasSubstr("an array s4[] cannot be handed to functions"));
  EXPECT_THAT(Run(call("ffi.tell", "f32", "api_version = 4 : i32, backend_config = {a = i32}"),
                  {F32({}, {1})}),
              HasSubstr("attribute `a`: i32 cannot be handed to functions"));
  EXPECT_THAT(Run(call("ffi.tell", "f32", "api_version = 2 : i32"), {F32({}, {1})}),
              HasSubstr("the call has no types"));
}

INSTANTIATE_TEST_SUITE_P(Targets, Ffi, ::testing::ValuesIn(kTargets),
                         [](const auto& info) { return std::string(info.param); });

TEST(FfiOnCuda, CopiesToTheHostAndBack) {
  if (!Client::Create({.target = "cuda"}).ok()) GTEST_SKIP() << "no cuda here";
  ASSERT_TRUE(RegisterFfiHandler("ffi.copy", Copy).ok());
  EXPECT_EQ(RunOn("cuda", kTurned, {F32({2, 3}, {1, 2, 3, 4, 5, 6})}), kTurnedResult);
}

// Each error has its own message, as long as it lives.
TEST(FfiErrors, MessagesAreTheErrorsOwn) {
  const XLA_FFI_Api* api = ffi::TheApi();
  XLA_FFI_Error* errors[2];
  for (int i = 0; i < 2; ++i) {
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, nullptr,
                                      i == 0 ? "first" : "second", XLA_FFI_Error_Code_INTERNAL};
    errors[i] = api->XLA_FFI_Error_Create(&args);
  }
  const char* messages[2];
  for (int i = 0; i < 2; ++i) {
    XLA_FFI_Error_GetMessage_Args args = {XLA_FFI_Error_GetMessage_Args_STRUCT_SIZE, nullptr,
                                          errors[i], nullptr};
    api->XLA_FFI_Error_GetMessage(&args);
    messages[i] = args.message;
  }
  EXPECT_STREQ(messages[0], "first");
  EXPECT_STREQ(messages[1], "second");
  for (XLA_FFI_Error* error : errors) {
    XLA_FFI_Error_Destroy_Args args = {XLA_FFI_Error_Destroy_Args_STRUCT_SIZE, nullptr, error};
    api->XLA_FFI_Error_Destroy(&args);
  }
}

// A function that registers a type without a name: what goes wrong inside is an error for it, not a
// success.
TEST(FfiErrors, WhatIsThrownIsAnError) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer ends the process at so large an allocation";
#endif
  const XLA_FFI_Api* api = ffi::TheApi();
  XLA_FFI_TypeId id = {0};
  XLA_FFI_Type_Register_Args args = {};
  args.struct_size = XLA_FFI_Type_Register_Args_STRUCT_SIZE;
  args.name = {"x", size_t{1} << 62};  // more than any string holds
  args.type_id = &id;
  XLA_FFI_Error* error = api->XLA_FFI_Type_Register(&args);
  ASSERT_NE(error, nullptr);
  XLA_FFI_Error_Destroy_Args destroy = {XLA_FFI_Error_Destroy_Args_STRUCT_SIZE, nullptr, error};
  api->XLA_FFI_Error_Destroy(&destroy);
}

TEST(FfiVersions, NewerFunctionsAreRefused) {
  const absl::Status status = RegisterFfiHandler("ffi.newer", FromTheFuture);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(absl::StrCat("'ffi.newer': the function was compiled for version 0.",
                                     XLA_FFI_API_MINOR + 1)));
  EXPECT_EQ(RegisterFfiHandler("ffi.none", nullptr).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace halyard
