// An application's own Vulkan device and buffers, with the validation layers watching.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/c_api/dlpack_abi.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/vulkan/api.h"
#include "runtime/vulkan/vulkan.h"
#include "tests/fakes/test_kernels.h"
#include "tests/runtime/program_builder.h"

namespace halyard::runtime::vulkan {
namespace {

using halyard::testing::ProgramBuilder;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kN = 1000;
constexpr uint64_t kBytes = 4 * kN, kPadded = 4096;

// The linker takes the backend out of its archive for this.
Status (*const kOpen)(uint32_t, const Options&, Device**) = &OpenDevice;

void ExpectError(hy_status status, int code, const std::string& text) {
  EXPECT_EQ(hy_status_code(status), code);
  EXPECT_THAT(hy_status_message(status), HasSubstr(text));
  hy_status_free(status);
}

#define ASSERT_HY_OK(expression)                           \
  do {                                                     \
    const hy_status status = (expression);                 \
    const std::string message = hy_status_message(status); \
    hy_status_free(status);                                \
    ASSERT_TRUE(status == nullptr) << message;             \
  } while (false)

#define ASSERT_VK(expression) ASSERT_EQ(expression, VK_SUCCESS)

VkBool32 Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  static_cast<std::vector<std::string>*>(user)->emplace_back(data->pMessage);
  return VK_FALSE;
}

// The application: an instance with validation, a device with one queue, and buffers that the CPU
// reaches.
class Application : public ::testing::Test {
 protected:
  struct Memory {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    float* data = nullptr;
  };

  void SetUp() override {
    ASSERT_NE(kOpen, nullptr);
    ASSERT_TRUE(LoadLibrary(nullptr, &api_).ok());
    MakeInstance();
    uint32_t count = 1;
    const VkResult found = api_.EnumeratePhysicalDevices(instance_, &count, &physical_);
    ASSERT_TRUE(found == VK_SUCCESS || found == VK_INCOMPLETE);
    v12_.timelineSemaphore = VK_TRUE;
    v12_.pNext = nullptr;
    features_.pNext = &v12_;
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features_;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    ASSERT_VK(api_.CreateDevice(physical_, &info, nullptr, &device_));
    ASSERT_TRUE(LoadDeviceFunctions(device_, &api_).ok());
    api_.GetDeviceQueue(device_, 0, 0, &queue_);
    MakeCommands();
    mine_.struct_size = sizeof(mine_);
    mine_.instance = instance_;
    mine_.physical_device = physical_;
    mine_.device = device_;
    mine_.queue = queue_;
    mine_.api_version = VK_API_VERSION_1_2;
    mine_.features = &features_;
    mine_.user = &locked_;
    mine_.lock_queue = [](void* user) { ++*static_cast<int*>(user); };
    mine_.unlock_queue = [](void* user) { *static_cast<int*>(user) += 1000; };
  }
  void MakeInstance() {
    VkApplicationInfo application = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = VK_API_VERSION_1_2;
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = &Collect;
    messenger.pUserData = &messages_;
    const char* layer = "VK_LAYER_KHRONOS_validation";
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkInstanceCreateInfo info = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pNext = &messenger;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = info.enabledExtensionCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.ppEnabledExtensionNames = &extension;
    ASSERT_VK(api_.CreateInstance(&info, nullptr, &instance_));
    ASSERT_TRUE(LoadInstanceFunctions(instance_, &api_).ok());
    messenger.pNext = nullptr;
    ASSERT_VK(api_.CreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_));
  }
  void MakeCommands() {
    VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    ASSERT_VK(api_.CreateCommandPool(device_, &pool, nullptr, &commands_));
  }
  void TearDown() override {
    for (Memory& memory : memories_) {
      api_.DestroyBuffer(device_, memory.buffer, nullptr);
      api_.FreeMemory(device_, memory.memory, nullptr);
    }
    api_.DestroyCommandPool(device_, commands_, nullptr);
    api_.DestroyDevice(device_, nullptr);
    api_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
    api_.DestroyInstance(instance_, nullptr);
    UnloadLibrary(&api_);
    EXPECT_THAT(messages_, IsEmpty()) << "validation";
  }

  template <typename Function>
  Function Get(const char* name) {
    return reinterpret_cast<Function>(api_.GetDeviceProcAddr(device_, name));
  }
  Memory NewBuffer(uint64_t bytes) {
    Memory made;
    VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    EXPECT_EQ(api_.CreateBuffer(device_, &info, nullptr, &made.buffer), VK_SUCCESS);
    VkMemoryRequirements needs;
    api_.GetBufferMemoryRequirements(device_, made.buffer, &needs);
    VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    memory.allocationSize = needs.size;
    VkPhysicalDeviceMemoryProperties types;
    api_.GetPhysicalDeviceMemoryProperties(physical_, &types);
    while ((types.memoryTypes[memory.memoryTypeIndex].propertyFlags &
            VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) == 0)
      ++memory.memoryTypeIndex;
    EXPECT_EQ(api_.AllocateMemory(device_, &memory, nullptr, &made.memory), VK_SUCCESS);
    EXPECT_EQ(api_.BindBufferMemory(device_, made.buffer, made.memory, 0), VK_SUCCESS);
    void* data = nullptr;
    EXPECT_EQ(api_.MapMemory(device_, made.memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
    made.data = static_cast<float*>(data);
    memories_.push_back(made);
    return made;
  }
  // Submits work of the application to its queue, and does not wait for it.
  template <typename Record>
  void Submit(Record record) {
    VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = commands_;
    info.commandBufferCount = 1;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    ASSERT_VK(api_.AllocateCommandBuffers(device_, &info, &buffer));
    VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_VK(api_.BeginCommandBuffer(buffer, &begin));
    record(buffer);
    ASSERT_VK(api_.EndCommandBuffer(buffer));
    VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &buffer;
    ASSERT_VK(api_.QueueSubmit(queue_, 1, &submit, VK_NULL_HANDLE));
  }

  hy_status Open(hy_device** device) const {
    hy_device_options options = {};
    options.struct_size = sizeof(options);
    options.kind = "vulkan";
    options.vulkan = &mine_;
    options.threads = 1;
    return hy_device_open_with(&options, device);
  }
  hy_status Wrap(hy_device* device, VkBuffer buffer, uint64_t offset, uint64_t bytes,
                 hy_buffer** made) const {
    hy_memory memory = {};
    memory.struct_size = sizeof(memory);
    memory.handle = reinterpret_cast<uint64_t>(buffer);
    memory.offset = offset;
    memory.bytes = bytes;
    return hy_buffer_wrap(device, &memory, made);
  }

  Api api_;
  std::vector<std::string> messages_;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool commands_ = VK_NULL_HANDLE;
  VkPhysicalDeviceFeatures2 features_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  VkPhysicalDeviceVulkan12Features v12_ = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  std::vector<Memory> memories_;
  hy_vulkan_device mine_ = {};
  int locked_ = 0;
};

// out0 = arg0 + 2, through a temporary
std::string AddTwo() {
  DeviceInfo info;
  EXPECT_TRUE(DescribeDevice(0, Options(), &info).ok());
  ProgramBuilder b("add_two");
  b.spec.target = "vulkan";
  b.spec.device = info;
  const auto in = b.Parameter("f32", {kN}, kBytes), out = b.Result("f32", {kN}, kBytes),
             temp = b.Temp(kBytes);
  auto kernel = halyard::testing::Increment(kN, info);
  EXPECT_TRUE(kernel.ok()) << kernel.status();
  const int32_t increment = b.Kernel(WriteKernelObject(*kernel));
  b.Launch(0, increment, {in}, {temp});
  b.Launch(0, increment, {temp}, {out});
  return b.Write();
}

TEST_F(Application, SharesItsQueueAndBuffers) {
  hy_device* device = nullptr;
  ASSERT_HY_OK(Open(&device));
  const std::string bytes = AddTwo();
  hy_program* program = nullptr;
  ASSERT_HY_OK(hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program));
  Memory in = NewBuffer(kPadded), out = NewBuffer(256 + kPadded), read = NewBuffer(kPadded);
  hy_buffer *argument = nullptr, *result = nullptr, *temporaries = nullptr;
  ASSERT_HY_OK(Wrap(device, in.buffer, 0, kBytes, &argument));
  ASSERT_HY_OK(Wrap(device, out.buffer, 256, kBytes, &result));
  ASSERT_HY_OK(hy_buffer_new(device, hy_program_temporary_bytes(program), &temporaries));
  hy_run_options options = {};
  options.struct_size = sizeof(options);
  for (int round = 1; round <= 3; ++round) {
    // The application fills the argument, and copies the result; nobody waits in between.
    const float value = static_cast<float>(round);
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    Submit([&](VkCommandBuffer buffer) {
      Get<PFN_vkCmdFillBuffer>("vkCmdFillBuffer")(buffer, in.buffer, 0, kPadded, bits);
    });
    options.temporaries = round == 2 ? temporaries : nullptr;
    ASSERT_HY_OK(hy_run_buffers_with(program, &options, &argument, nullptr, &result));
    Submit([&](VkCommandBuffer buffer) {
      const VkBufferCopy region = {256, 0, kBytes};
      api_.CmdCopyBuffer(buffer, out.buffer, read.buffer, 1, &region);
    });
    ASSERT_VK(Get<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_));
    EXPECT_EQ(read.data[0], value + 2);
    EXPECT_EQ(read.data[kN - 1], value + 2);
    EXPECT_EQ(out.data[0], 0.0f) << "before the buffer";
  }
  // Through the runtime, which copies by the queue.
  std::vector<float> values(kN, 40.0f);
  ASSERT_HY_OK(hy_buffer_write(argument, values.data(), kBytes));
  ASSERT_HY_OK(hy_run_buffers(program, &argument, nullptr, &result));
  ASSERT_HY_OK(hy_buffer_to_host(result, values.data(), kBytes));
  EXPECT_EQ(values[7], 42.0f);
  const void* arguments[] = {values.data()};
  void* results[] = {values.data() + 0};
  std::vector<float> other(kN);
  results[0] = other.data();
  ASSERT_HY_OK(hy_run(program, arguments, results));
  EXPECT_EQ(other[kN - 1], 44.0f);
  EXPECT_GT(locked_, 1000);
  EXPECT_EQ(locked_ % 1000, locked_ / 1000) << "locked as often as unlocked";
  hy_buffer_free(argument);
  hy_buffer_free(result);
  hy_buffer_free(temporaries);
  hy_program_free(program);
  hy_device_close(device);
}

TEST_F(Application, PassesTensors) {
  hy_device* device = nullptr;
  ASSERT_HY_OK(Open(&device));
  Memory memory = NewBuffer(kPadded);
  memory.data[5] = 7.0f;
  int64_t shape[1] = {kN};
  static int deleted;
  deleted = 0;
  DLManagedTensor tensor = {};
  tensor.tensor.data = memory.buffer;
  tensor.tensor.device.type = dlpack::kVulkan;
  tensor.tensor.rank = 1;
  tensor.tensor.type = {dlpack::kFloat, 32, 1};
  tensor.tensor.shape = shape;
  tensor.deleter = [](DLManagedTensor*) { ++deleted; };
  hy_buffer* buffer = nullptr;
  ASSERT_HY_OK(hy_buffer_from_dlpack(device, &tensor, nullptr, &buffer));
  std::vector<float> values(kN);
  ASSERT_HY_OK(hy_buffer_to_host(buffer, values.data(), kBytes));
  EXPECT_EQ(values[5], 7.0f);
  hy_value value = {"", "f32", 1, shape, nullptr, kBytes};
  DLManagedTensor* out = nullptr;
  ASSERT_HY_OK(hy_buffer_to_dlpack(buffer, &value, &out));
  EXPECT_EQ(out->tensor.data, memory.buffer);
  EXPECT_EQ(out->tensor.device.type, dlpack::kVulkan);
  hy_buffer_free(buffer);
  EXPECT_EQ(deleted, 0);
  out->deleter(out);
  EXPECT_EQ(deleted, 1);
  tensor.tensor.device.type = dlpack::kCpu;
  ExpectError(hy_buffer_from_dlpack(device, &tensor, nullptr, &buffer), HY_INVALID_ARGUMENT,
              "the type 1");
  hy_device_close(device);
}

TEST_F(Application, BuffersMustSuit) {
  hy_device* device = nullptr;
  ASSERT_HY_OK(Open(&device));
  Memory memory = NewBuffer(kPadded);
  hy_buffer* buffer = nullptr;
  ExpectError(Wrap(device, memory.buffer, 16, 100, &buffer), HY_INVALID_ARGUMENT,
              "no multiple of 256");
  ExpectError(Wrap(device, memory.buffer, 256, kPadded, &buffer), HY_INVALID_ARGUMENT,
              "too small for 4096 at 256");
  ExpectError(Wrap(device, memory.buffer, UINT64_MAX - 255, 256, &buffer), HY_INVALID_ARGUMENT,
              "too small");
  ExpectError(Wrap(device, memory.buffer, 0, UINT64_MAX >> 1, &buffer), HY_INVALID_ARGUMENT,
              "too small");
  EXPECT_EQ(buffer, nullptr);
  hy_device_close(device);
}

TEST_F(Application, DevicesMustSuit) {
  hy_device* device = nullptr;
  const hy_vulkan_device good = mine_;
  v12_.timelineSemaphore = VK_FALSE;
  ExpectError(Open(&device), HY_FAILED_PRECONDITION, "timelineSemaphore");
  v12_.timelineSemaphore = VK_TRUE;
  mine_.features = &v12_;
  ExpectError(Open(&device), HY_INVALID_ARGUMENT, "no VkPhysicalDeviceFeatures2");
  mine_ = good;
  mine_.queue_family = 99;
  ExpectError(Open(&device), HY_INVALID_ARGUMENT, "queue_family is 99");
  mine_ = good;
  mine_.api_version = VK_API_VERSION_1_1;
  ExpectError(Open(&device), HY_FAILED_PRECONDITION, "api_version");
  mine_ = good;
  mine_.physical_device = &mine_;
  ExpectError(Open(&device), HY_INVALID_ARGUMENT, "physical_device is not one");
  mine_ = good;
  mine_.queue = nullptr;
  ExpectError(Open(&device), HY_INVALID_ARGUMENT, "queue is NULL");
  EXPECT_EQ(device, nullptr);
  // The single structs of features count, too.
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
  timeline.timelineSemaphore = VK_TRUE;
  VkPhysicalDeviceFeatures2 single = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &timeline};
  mine_ = good;
  mine_.features = &single;
  mine_.get_instance_proc_addr = reinterpret_cast<void*>(api_.GetInstanceProcAddr);
  ASSERT_HY_OK(Open(&device));
  hy_device_close(device);
}

// An endless loop in an endless loop, of kernels on the device, ends when it is cancelled.
TEST_F(Application, NestedLoopsAreCancelled) {
  DeviceInfo info;
  ASSERT_TRUE(DescribeDevice(0, Options(), &info).ok());
  ProgramBuilder b("nested", 5);
  b.spec.target = "vulkan";
  b.spec.device = info;
  const auto in = b.Parameter("f32", {kN}, kBytes), out = b.Result("f32", {kN}, kBytes),
             always = b.Constant(std::string(1, 1)), temp = b.Temp(kBytes),
             outer = b.Temp(1, MemorySpace::kHost), inner = b.Temp(1, MemorySpace::kHost);
  const int32_t increment = b.Kernel(WriteKernelObject(*halyard::testing::Increment(kN, info)));
  b.Copy(0, in, temp);
  b.While(0, outer, 1, 2);
  b.Launch(0, increment, {temp}, {out});
  b.Copy(1, always, outer);
  b.Launch(2, increment, {in}, {temp});
  b.While(2, inner, 3, 4);
  b.Copy(3, always, inner);
  b.Launch(4, increment, {in}, {temp});
  const std::string bytes = b.Write();
  hy_device* device = nullptr;
  hy_program* program = nullptr;
  ASSERT_HY_OK(Open(&device));
  ASSERT_HY_OK(hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program));
  std::vector<float> values(kN), results_of(kN);
  const void* arguments[] = {values.data()};
  void* results[] = {results_of.data()};
  hy_cancel cancel = {0};
  hy_run_options options = {};
  options.struct_size = sizeof(options);
  options.cancel = &cancel;
  std::thread another([&cancel] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    hy_cancel_request(&cancel);
  });
  ExpectError(hy_run_with(program, &options, arguments, results), HY_ABORTED,
              "nested: the run was cancelled");
  another.join();
  hy_program_free(program);
  hy_device_close(device);
}

// A program that needs what the application has not enabled.
TEST_F(Application, FeaturesThatAreOffAreMissed) {
  DeviceInfo info;
  ASSERT_TRUE(DescribeDevice(0, Options(), &info).ok());
  auto kernel = halyard::testing::Arithmetic(2, 64, kN, info);
  if (!info.has_f64 || !kernel.ok()) GTEST_SKIP() << "the device has no f64";
  ProgramBuilder b("doubles");
  b.spec.target = "vulkan";
  b.spec.device = info;
  const auto in = b.Parameter("f64", {kN}, 8 * kN), out = b.Result("f64", {kN}, 8 * kN);
  b.Launch(0, b.Kernel(WriteKernelObject(*kernel)), {in}, {out});
  const std::string bytes = b.Write();
  hy_device* device = nullptr;
  hy_program* program = nullptr;
  ASSERT_HY_OK(Open(&device));
  hy_status status = hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program);
  EXPECT_NE(status, nullptr) << "shaderFloat64 is off";
  EXPECT_THAT(hy_status_message(status), HasSubstr("64"));
  hy_status_free(status);
  hy_device_close(device);
}

// The folder for compiled pipelines, and what the log says of it.
TEST(VulkanOptions, PipelinesAreKeptInTheFolder) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("pipelines_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  std::vector<std::string> lines;
  hy_callbacks callbacks = {};
  callbacks.struct_size = sizeof(callbacks);
  callbacks.user = &lines;
  callbacks.log = [](void* user, int level, const char* line) {
    if (level == HY_LOG_WARNING) static_cast<std::vector<std::string>*>(user)->push_back(line);
  };
  hy_device_options options = {};
  options.struct_size = sizeof(options);
  options.kind = "vulkan";
  options.threads = 1;
  options.callbacks = &callbacks;
  const std::string path = folder.string(), bytes = AddTwo();
  options.pipeline_cache_folder = path.c_str();
  for (int round = 0; round < 2; ++round) {
    hy_device* device = nullptr;
    hy_program* program = nullptr;
    ASSERT_HY_OK(hy_device_open_with(&options, &device));
    ASSERT_HY_OK(hy_program_load_memory(device, bytes.data(), bytes.size(), 1, &program));
    hy_program_free(program);
    hy_device_close(device);
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].extension(), ".pipelines");
    if (round == 0) {
      EXPECT_THAT(lines, IsEmpty());
      std::filesystem::resize_file(files[0], 30);
    }
  }
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("is not used: it is damaged"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halyard::runtime::vulkan
