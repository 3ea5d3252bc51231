// Programs through the C API: compilation, runs, donation, refusal and serialization.
#include "tests/pjrt/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace halyard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(Programs, Run) {
  const Loaded add = Compile(kAdd);
  const Array x = Put({1, 2, 3, 4}), y = Put({10, 20, 30, 40});
  auto run = add.Execute({&x, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->done[0].Await().ok());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(11, 22, 33, 44));
  EXPECT_FALSE(x.IsDeleted());
  EXPECT_THAT(add.Text(),
              HasSubstr("(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>)"));
}

TEST_F(Programs, GiveSeveralResultsAndTokens) {
  const Loaded program = Compile(R"(
    module {
      func.func public @main(%t: !stablehlo.token, %x: tensor<4xf32>)
          -> (!stablehlo.token, tensor<4xf32>, tensor<4xi32>) {
        %0 = stablehlo.negate %x : tensor<4xf32>
        %1 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
        return %t, %0, %1 : !stablehlo.token, tensor<4xf32>, tensor<4xi32>
      }
    })");
  auto token = platform_->FromHost({nullptr, PJRT_Buffer_Type_TOKEN, {}});
  ASSERT_TRUE(token.ok()) << token.status();
  const Array x = Put({1, 2, 3, 4});
  auto run = program.Execute({&*token, &x});
  ASSERT_TRUE(run.ok()) << run.status();
  ASSERT_EQ(run->results.size(), 3u);
  EXPECT_EQ(run->results[0].Type(), PJRT_Buffer_Type_TOKEN);
  // JAX's first token is an array without elements. Later tokens are results of runs.
  auto none = platform_->FromHost({nullptr, PJRT_Buffer_Type_PRED, {0}});
  EXPECT_TRUE(program.Execute({&*none, &x}).ok());
  EXPECT_TRUE(program.Execute({&run->results[0], &x}).ok());
  EXPECT_FALSE(program.Execute({&x, &x}).ok());
  EXPECT_TRUE(run->results[0].Ready().Await().ok());
  EXPECT_THAT(*run->results[1].Values<float>(), ElementsAre(-1, -2, -3, -4));
  EXPECT_THAT(*run->results[2].Values<int32_t>(), ElementsAre(1, 2, 3, 4));
}

TEST_F(Programs, TakeDonatedArgumentsOver) {
  const Loaded program = Compile(kDonates);
  const Array y = Put({1, 1, 1, 1});
  const Array x = Put({1, 2, 3, 4});
  auto run = program.Execute({&x, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(x.IsDeleted());
  EXPECT_FALSE(y.IsDeleted());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  // A donated argument cannot be used again.
  EXPECT_EQ(program.Execute({&x, &y}).status().code(), absl::StatusCode::kFailedPrecondition);
  // Here the caller asks to keep the argument.
  const Array kept = Put({1, 2, 3, 4});
  ASSERT_TRUE(program.Execute({&kept, &y}, {0}).ok());
  EXPECT_FALSE(kept.IsDeleted());
  EXPECT_THAT(*kept.Values<float>(), ElementsAre(1, 2, 3, 4));
}

TEST_F(Programs, WriteNoMemoryOfOthers) {
  const Loaded program = Compile(kDonates);
  const Array y = Put({1, 1, 1, 1});
  alignas(64) static float memory[4] = {1, 2, 3, 4};
  auto wrapped = platform_->FromHost({memory, PJRT_Buffer_Type_F32, {4}});
  ASSERT_TRUE(wrapped.ok());
  auto run = program.Execute({&*wrapped, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(memory, ElementsAre(1, 2, 3, 4));

  const Array twice = Put({1, 2, 3, 4});
  run = program.Execute({&twice, &twice});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 4, 6, 8));

  const Array seen = Put({1, 2, 3, 4});
  auto pointer = PJRT_NEW(PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args);
  pointer.buffer = seen.get();
  auto on_cpu = PJRT_NEW(PJRT_Buffer_IsOnCpu_Args);
  on_cpu.buffer = seen.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_IsOnCpu(&on_cpu)).ok());
  if (!on_cpu.is_on_cpu) return;
  ASSERT_TRUE(Take(Api().PJRT_Buffer_OpaqueDeviceMemoryDataPointer(&pointer)).ok());
  auto more = PJRT_NEW(PJRT_Buffer_IncreaseExternalReferenceCount_Args);
  more.buffer = seen.get();
  ASSERT_TRUE(Take(Api().PJRT_Buffer_IncreaseExternalReferenceCount(&more)).ok());
  run = program.Execute({&seen, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(static_cast<float*>(pointer.device_memory_ptr)[3], 4.0f);
}

TEST_F(Programs, RefuseWrongArguments) {
  const Loaded add = Compile(kAdd);
  const Array x = Put({1, 2, 3, 4}), small = Put({1, 2});
  const absl::Status few = add.Execute({&x}).status();
  EXPECT_EQ(few.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(few.message(), HasSubstr("jit_add takes 2 arguments, not 1"));
  const absl::Status wrong = add.Execute({&x, &small}).status();
  EXPECT_EQ(wrong.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(wrong.message(), HasSubstr("argument 1 of jit_add is f32[2]; it takes f32[4]"));
}

TEST_F(Programs, ThatAreWrongSayWhere) {
  const auto loaded = platform_->Compile(R"(module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
})");
  EXPECT_EQ(loaded.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(loaded.status().message(), HasSubstr("jax:3:"));
  EXPECT_THAT(loaded.status().message(), HasSubstr("%y"));
  EXPECT_EQ(platform_->Compile(kAdd, "", "hlo").status().code(), absl::StatusCode::kUnimplemented);
}

TEST_F(Programs, OptionsAreRead) {
  // executable_build_options.num_partitions = 2, and a device assignment of device 1.
  EXPECT_EQ(platform_->Compile(kAdd, std::string("\x1a\x02\x28\x02", 4)).status().code(),
            absl::StatusCode::kInvalidArgument);
  const std::string device_1("\x1a\x0b\x4a\x09\x08\x01\x10\x01\x1a\x03\x0a\x01\x01", 13);
  EXPECT_EQ(platform_->Compile(kAdd, device_1).status().code(), absl::StatusCode::kInvalidArgument);
  // env_option_overrides = {"speed": "high"}
  const std::string option("\x3a\x0f\x0a\x05speed\x12\x06\x0a\x04high", 17);
  const absl::Status unknown = platform_->Compile(kAdd, option).status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(unknown.message(), HasSubstr("`speed`"));
  EXPECT_EQ(platform_->Compile(kAdd, "\xff\xff").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(Programs, CompileNothingThatIsMissing) {
  std::string code(kAdd);
  auto program = PJRT_NEW(PJRT_Program);
  program.format_size = 4;
  auto args = PJRT_NEW(PJRT_Client_Compile_Args);
  args.client = platform_->get();
  args.program = &program;
  args.compile_options_size = 5;
  ExpectMissing(Api().PJRT_Client_Compile(&args), "args.program->code");
  program.code = code.data();
  program.code_size = code.size();
  ExpectMissing(Api().PJRT_Client_Compile(&args), "args.program->format");
  program.format = "mlir";
  ExpectMissing(Api().PJRT_Client_Compile(&args), "args.compile_options");
  args.compile_options = "";
  args.compile_options_size = size_t{1} << 40;  // as an int, it would be 0
  EXPECT_THAT(Take(Api().PJRT_Client_Compile(&args)).message(), HasSubstr("2 GiB"));
  args.compile_options_size = 0;
  program.struct_size = PJRT_STRUCT_SIZE(PJRT_Program, code_size);
  EXPECT_THAT(Take(Api().PJRT_Client_Compile(&args)).message(),
              HasSubstr("PJRT_Program: the argument struct has"));
}

TEST_F(Programs, LoadNothingThatIsMissing) {
  auto args = PJRT_NEW(PJRT_Executable_DeserializeAndLoad_Args);
  args.client = platform_->get();
  args.serialized_executable_size = 100;
  ExpectMissing(Api().PJRT_Executable_DeserializeAndLoad(&args), "args.serialized_executable");
  args.serialized_executable = "";
  args.serialized_executable_size = 0;
  args.overridden_serialized_compile_options_size = 1;
  ExpectMissing(Api().PJRT_Executable_DeserializeAndLoad(&args),
                "args.overridden_serialized_compile_options");
}

TEST_F(Programs, RunOnlyWithTheirLists) {
  const Loaded program = Compile(kDonates);
  const Array x = Put({1, 2, 3, 4}), y = Put({1, 1, 1, 1});
  PJRT_Buffer* const in[] = {x.get(), y.get()};
  PJRT_Buffer* out = nullptr;
  PJRT_Buffer* const* in_list = nullptr;
  PJRT_Buffer** out_list = nullptr;
  auto options = PJRT_NEW(PJRT_ExecuteOptions);
  auto args = PJRT_NEW(PJRT_LoadedExecutable_Execute_Args);
  args.executable = program.get();
  args.options = &options;
  args.num_devices = 1;
  args.num_args = 2;
  const auto execute = [&] { return Api().PJRT_LoadedExecutable_Execute(&args); };
  ExpectMissing(execute(), "args.argument_lists");
  args.argument_lists = &in_list;
  ExpectMissing(execute(), "args.output_lists");
  args.output_lists = &out_list;
  ExpectMissing(execute(), "args.argument_lists[d]");
  in_list = in;
  ExpectMissing(execute(), "args.output_lists[d]");
  out_list = &out;
  options.num_non_donatable_input_indices = 3;
  ExpectMissing(execute(), "options.non_donatable_input_indices");
  EXPECT_FALSE(x.IsDeleted());
  // The options of an older caller end before these fields.
  options.num_send_ops = 1;
  options.struct_size = PJRT_STRUCT_SIZE(PJRT_ExecuteOptions, recv_callbacks);
  ASSERT_TRUE(Take(execute()).ok());
  EXPECT_THAT(*Array(out).Values<float>(), ElementsAre(2, 3, 4, 5));
}

TEST_F(Programs, SerializeAndLoad) {
  const Loaded program = Compile(kDonates);
  auto bytes = program.Serialize();
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  auto loaded = platform_->Deserialize(*bytes);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const Array x = Put({1, 2, 3, 4}), y = Put({1, 1, 1, 1});
  auto run = loaded->Execute({&x, &y});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(x.IsDeleted());
  EXPECT_THAT(*run->results[0].Values<float>(), ElementsAre(2, 3, 4, 5));
  for (size_t at : {size_t{0}, bytes->size() / 2, bytes->size() - 1}) {
    std::string damaged = *bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    EXPECT_EQ(platform_->Deserialize(damaged).status().code(), absl::StatusCode::kDataLoss) << at;
  }
  EXPECT_EQ(platform_->Deserialize(bytes->substr(0, 40)).status().code(),
            absl::StatusCode::kDataLoss);
}

// Returns the values of PJRT_Executable_GetCostAnalysis by name.
std::map<std::string, float> CostOf(const Loaded& program) {
  auto get = PJRT_NEW(PJRT_LoadedExecutable_GetExecutable_Args);
  get.loaded_executable = program.get();
  EXPECT_TRUE(Take(Api().PJRT_LoadedExecutable_GetExecutable(&get)).ok());
  auto cost = PJRT_NEW(PJRT_Executable_GetCostAnalysis_Args);
  cost.executable = get.executable;
  EXPECT_TRUE(Take(Api().PJRT_Executable_GetCostAnalysis(&cost)).ok());
  std::map<std::string, float> values;
  for (size_t i = 0; i < cost.num_properties; ++i) {
    const PJRT_NamedValue& value = cost.properties[i];
    EXPECT_EQ(value.type, PJRT_NamedValue_kFloat);
    values[std::string(value.name, value.name_size)] = value.float_value;
  }
  auto destroy = PJRT_NEW(PJRT_Executable_Destroy_Args);
  destroy.executable = get.executable;
  EXPECT_TRUE(Take(Api().PJRT_Executable_Destroy(&destroy)).ok());
  return values;
}

TEST_F(Programs, SayWhatTheyCost) {
  const Loaded product = Compile(R"(
    module {
      func.func public @main(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>) -> tensor<8x4xf32> {
        %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
            : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
        return %0 : tensor<8x4xf32>
      }
    })");
  std::map<std::string, float> cost = CostOf(product);
  EXPECT_EQ(cost["flops"], 2 * 8 * 16 * 4);
  EXPECT_EQ(cost["bytes accessed"], 4 * (8 * 16 + 16 * 4 + 8 * 4));
  // The cost includes every iteration of the loop.
  EXPECT_GE(CostOf(Compile(kLong))["flops"], 40 * 2.0f * 400 * 400 * 400);
}

TEST_F(Programs, BuffersMayOutliveTheClient) {
  auto array = std::make_unique<Array>(Put({1, 2, 3, 4}));
  platform_ = nullptr;
  EXPECT_THAT(*array->Values<float>(), ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace halyard::testing
