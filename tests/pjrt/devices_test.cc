// Several devices through the C API: where arrays are, copies between devices, and programs that
// run on all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/pjrt/plugin.h"
#include "tests/pjrt/programs.h"

namespace halyard::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kDevices = 4;

class DevicesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto platform = Platform::Create({IntOption("num_devices", kDevices)});
    ASSERT_TRUE(platform.ok()) << platform.status();
    platform_ = *std::move(platform);
    auto args = PJRT_NEW(PJRT_Client_Devices_Args);
    args.client = platform_->get();
    ASSERT_TRUE(Take(Api().PJRT_Client_Devices(&args)).ok());
    devices_.assign(args.devices, args.devices + args.num_devices);
    ASSERT_EQ(devices_.size(), kDevices);
  }
  static int IdOf(PJRT_Device* device) {
    auto description = PJRT_NEW(PJRT_Device_GetDescription_Args);
    description.device = device;
    EXPECT_TRUE(Take(Api().PJRT_Device_GetDescription(&description)).ok());
    auto id = PJRT_NEW(PJRT_DeviceDescription_Id_Args);
    id.device_description = description.device_description;
    EXPECT_TRUE(Take(Api().PJRT_DeviceDescription_Id(&id)).ok());
    return id.id;
  }
  static int DeviceOf(const Array& array) {
    auto args = PJRT_NEW(PJRT_Buffer_Device_Args);
    args.buffer = array.get();
    EXPECT_TRUE(Take(Api().PJRT_Buffer_Device(&args)).ok());
    return IdOf(args.device);
  }
  Array Put(const std::vector<float>& values, size_t device) {
    auto args = PJRT_NEW(PJRT_Client_BufferFromHostBuffer_Args);
    const int64_t size = static_cast<int64_t>(values.size());
    args.client = platform_->get();
    args.data = values.data();
    args.type = PJRT_Buffer_Type_F32;
    args.dims = &size;
    args.num_dims = 1;
    args.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
    args.device = devices_[device];
    EXPECT_TRUE(Take(Api().PJRT_Client_BufferFromHostBuffer(&args)).ok());
    const Event done(args.done_with_host_buffer);
    return Array(args.buffer);
  }
  // One argument and one result for each of the devices.
  absl::StatusOr<std::vector<Array>> Execute(const Loaded& loaded,
                                             const std::vector<Array>& arguments) {
    std::vector<PJRT_Buffer*> in, out(arguments.size(), nullptr);
    for (const Array& argument : arguments) in.push_back(argument.get());
    std::vector<PJRT_Buffer* const*> in_lists;
    std::vector<PJRT_Buffer**> out_lists;
    for (size_t i = 0; i < in.size(); ++i) {
      in_lists.push_back(&in[i]);
      out_lists.push_back(&out[i]);
    }
    std::vector<PJRT_Event*> events(arguments.size(), nullptr);
    auto options = PJRT_NEW(PJRT_ExecuteOptions);
    auto args = PJRT_NEW(PJRT_LoadedExecutable_Execute_Args);
    args.executable = loaded.get();
    args.options = &options;
    args.argument_lists = in_lists.data();
    args.num_devices = arguments.size();
    args.num_args = 1;
    args.output_lists = out_lists.data();
    args.device_complete_events = events.data();
    if (absl::Status s = Take(Api().PJRT_LoadedExecutable_Execute(&args)); !s.ok()) return s;
    std::vector<Array> results;
    for (PJRT_Buffer* buffer : out) results.emplace_back(buffer);
    absl::Status status;
    for (PJRT_Event* event : events) {
      const absl::Status one = Event(event).Await();
      if (status.ok()) status = one;
    }
    if (!status.ok()) return status;
    return results;
  }

  std::unique_ptr<Platform> platform_;
  std::vector<PJRT_Device*> devices_;
};

TEST_F(DevicesTest, ArraysLieOnTheirDevicesAndMoveToOthers) {
  for (size_t i = 0; i < kDevices; ++i) {
    EXPECT_EQ(IdOf(devices_[i]), static_cast<int>(i));
    const Array array = Put({1, 2, static_cast<float>(i)}, i);
    EXPECT_EQ(DeviceOf(array), static_cast<int>(i));
    auto copy = PJRT_NEW(PJRT_Buffer_CopyToDevice_Args);
    copy.buffer = array.get();
    copy.dst_device = devices_[3 - i];
    ASSERT_TRUE(Take(Api().PJRT_Buffer_CopyToDevice(&copy)).ok());
    const Array other(copy.dst_buffer);
    EXPECT_EQ(DeviceOf(other), static_cast<int>(3 - i));
    EXPECT_THAT(*other.Values<float>(), ElementsAre(1, 2, static_cast<float>(i)));
  }
}

// CompileOptionsProto { executable_build_options { num_replicas: 4 num_partitions: 1 } }
constexpr char kFourReplicas[] = "\x1a\x04\x20\x04\x28\x01";
constexpr char kFourPartitions[] = "\x1a\x04\x20\x01\x28\x04";

TEST_F(DevicesTest, ReplicasAddWhatEachHas) {
  constexpr char kText[] = R"(module attributes {mhlo.num_replicas = 4 : i32} {
func.func public @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = "stablehlo.all_reduce"(%a) ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
})";
  auto loaded = platform_->Compile(kText, kFourReplicas);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  auto serialized = loaded->Serialize();
  ASSERT_TRUE(serialized.ok()) << serialized.status();
  auto again = platform_->Deserialize(*serialized);
  ASSERT_TRUE(again.ok()) << again.status();
  std::vector<Array> arguments;
  for (size_t i = 0; i < kDevices; ++i) arguments.push_back(Put({static_cast<float>(i), 1}, i));
  for (const Loaded* program : {&*loaded, &*again, &*loaded}) {
    auto results = Execute(*program, arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    for (size_t i = 0; i < kDevices; ++i) {
      EXPECT_TRUE(arguments[i].IsDeleted()) << "it was donated";
      EXPECT_EQ(DeviceOf((*results)[i]), static_cast<int>(i));
    }
    arguments = *std::move(results);
  }
  EXPECT_THAT(*arguments[3].Values<float>(), ElementsAre(96, 64));
  std::vector<Array> few;
  few.push_back(Put({1, 1}, 0));
  EXPECT_THAT(std::string(Execute(*loaded, few).status().message()),
              HasSubstr("a run on 1 devices; main runs on 4"));
}

// What JAX makes of shard_map: each process is given its part of the array.
TEST_F(DevicesTest, ManualComputationsOfShardy) {
  constexpr char kText[] =
      R"(module @m attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>}> ({
    ^bb0(%p: tensor<2xf32>):
      %s = "stablehlo.all_reduce"(%p) ({
        ^bb0(%l: tensor<f32>, %r: tensor<f32>):
          %t = stablehlo.add %l, %r : tensor<f32>
          stablehlo.return %t : tensor<f32>
      }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2xf32>) -> tensor<2xf32>
      "sdy.return"(%s) : (tensor<2xf32>) -> ()
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<8xf32>
  return %1 : tensor<8xf32>
}
})";
  auto loaded = platform_->Compile(kText, kFourPartitions);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  std::vector<Array> arguments;
  for (size_t i = 0; i < kDevices; ++i)
    arguments.push_back(Put({static_cast<float>(i), static_cast<float>(10 * i)}, i));
  auto results = Execute(*loaded, arguments);
  ASSERT_TRUE(results.ok()) << results.status();
  // Sums of neighbours are 1, 10, 1, 10 and 5, 50, 5, 50; then they are turned round.
  EXPECT_THAT(*(*results)[0].Values<float>(), ElementsAre(50, 5));
  EXPECT_THAT(*(*results)[3].Values<float>(), ElementsAre(10, 1));
}

TEST_F(DevicesTest, OptionsThatAskForTooMuch) {
  constexpr char kText[] = R"(module {
func.func public @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
})";
  auto wrong = platform_->Compile(kText, "\x1a\x04\x20\x05\x28\x01");
  EXPECT_THAT(std::string(wrong.status().message()),
              HasSubstr("a program for 5 x 1 devices: the client has 4"));
  auto lookup = PJRT_NEW(PJRT_Client_LookupDevice_Args);
  lookup.client = platform_->get();
  lookup.id = 4;
  EXPECT_THAT(std::string(Take(Api().PJRT_Client_LookupDevice(&lookup)).message()),
              HasSubstr("there is no device 4; the last one is 3"));
}

}  // namespace
}  // namespace halyard::testing
