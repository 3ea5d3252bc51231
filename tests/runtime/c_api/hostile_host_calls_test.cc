// Calls the functions of the C API for an application's own threads, memory and devices with
// arguments that it should not pass. Each call is made in its own process.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "runtime/c_api/dlpack_abi.h"
#include "tests/runtime/c_api/c_api_fixture.h"
#include "tests/runtime/c_api/in_child.h"

namespace halyard::testing {
namespace {

constexpr int kInvalid = HY_INVALID_ARGUMENT;

struct Row {
  const char* name;
  int code;
  std::function<hy_status()> call;
};

class HostileHostCalls : public X86Test {
 protected:
  void SetUp() override {
    X86Test::SetUp();
    program_ = Load(AddProgram(1));
    ASSERT_EQ(hy_buffer_new(device_, 4, &buffer_), nullptr);
    ASSERT_EQ(hy_device_open("x86", 0, 1, &other_), nullptr);
    ASSERT_EQ(hy_buffer_new(other_, 1000, &foreign_), nullptr);
  }
  void TearDown() override {
    hy_buffer_free(foreign_);
    hy_device_close(other_);
    hy_buffer_free(buffer_);
    hy_program_free(program_);
    X86Test::TearDown();
  }
  void Check(const std::vector<Row>& rows) {
    for (const Row& row : rows) EXPECT_EQ(CodeInChild(row.call), row.code) << row.name;
  }
  // Opens a device with options that `change` makes of good ones.
  std::function<hy_status()> Open(std::function<void(hy_device_options*)> change) {
    return [change = std::move(change)] {
      hy_device_options options = WithSize<hy_device_options>();
      change(&options);
      hy_device* device = nullptr;
      return hy_device_open_with(&options, &device);
    };
  }
  // Chooses among the targets of a program.
  std::function<hy_status()> Choose(std::function<void(hy_choose_options*)> change) {
    return [change = std::move(change)] {
      const std::string bytes = AddProgram(1);
      std::string aligned(bytes.size() + 256, '\0');
      char* at = aligned.data();
      at += (256 - reinterpret_cast<uintptr_t>(at) % 256) % 256;
      std::memcpy(at, bytes.data(), bytes.size());
      hy_linked_program linked = {};
      linked.bytes = at;
      linked.size = bytes.size();
      hy_choose_options options = WithSize<hy_choose_options>();
      change(&options);
      hy_program* program = nullptr;
      return hy_program_choose_linked(&linked, &options, &program);
    };
  }

  hy_device* other_ = nullptr;
  hy_program* program_ = nullptr;
  hy_buffer *buffer_ = nullptr, *foreign_ = nullptr;
};

void RunTasks(void*, int count, void (*task)(void*, int), void* data) {
  for (int i = 0; i < count; ++i) task(data, i);
}
void* Allocate(void*, size_t, size_t) { return nullptr; }
void Free(void*, void*, size_t, size_t) {}

TEST_F(HostileHostCalls, OpeningADevice) {
  hy_pool pool = {sizeof(pool), nullptr, 2, &RunTasks, nullptr};
  hy_pool no_function = pool, no_threads = pool, max_threads = pool, pool_0 = pool;
  no_function.parallel_for = nullptr;
  no_threads.threads = 0;
  max_threads.threads = INT32_MAX;
  pool_0.struct_size = 0;
  const hy_allocator nothing = {sizeof(nothing), nullptr, &Allocate, &Free};
  hy_allocator no_allocate = nothing, no_free = nothing, allocator_max = nothing;
  no_allocate.allocate = nullptr;
  no_free.free = nullptr;
  allocator_max.struct_size = SIZE_MAX;
  const hy_callbacks deaf = {sizeof(deaf), nullptr, nullptr, nullptr}, callbacks_0 = {};
  const hy_vulkan_device no_handles = WithSize<hy_vulkan_device>(), vulkan_0 = {};
  hy_vulkan_device half_lock = no_handles;
  half_lock.instance = half_lock.physical_device = half_lock.device = half_lock.queue = &pool;
  half_lock.features = &pool;
  half_lock.lock_queue = [](void*) {};
  const hy_cuda_device cuda = WithSize<hy_cuda_device>(), cuda_0 = {};
  hy_cuda_device with_context = cuda;
  with_context.context = &pool;
  Check({
      {"with NULL", HY_OK,
       [] {
         hy_device* device = nullptr;
         return hy_device_open_with(nullptr, &device);
       }},
      {"to NULL", kInvalid, [] { return hy_device_open_with(nullptr, nullptr); }},
      {"size 0", kInvalid, Open([](auto* o) { o->struct_size = 0; })},
      {"size max", kInvalid, Open([](auto* o) { o->struct_size = SIZE_MAX; })},
      {"no kind", kInvalid, Open([](auto* o) { o->kind = ""; })},
      {"index max", HY_NOT_FOUND, Open([](auto* o) { o->index = INT32_MAX; })},
      {"index min", kInvalid, Open([](auto* o) { o->index = INT32_MIN; })},
      {"threads max", kInvalid, Open([](auto* o) { o->threads = INT32_MAX; })},
      {"threads min", kInvalid, Open([](auto* o) { o->threads = INT32_MIN; })},
      {"pool", HY_OK, Open([&](auto* o) { o->pool = &pool; })},
      {"pool of size 0", kInvalid, Open([&](auto* o) { o->pool = &pool_0; })},
      {"pool without a function", kInvalid, Open([&](auto* o) { o->pool = &no_function; })},
      {"pool of 0 threads", kInvalid, Open([&](auto* o) { o->pool = &no_threads; })},
      {"pool of max threads", kInvalid, Open([&](auto* o) { o->pool = &max_threads; })},
      {"pool and threads", kInvalid, Open([&](auto* o) {
         o->pool = &pool;
         o->threads = 1;
       })},
      {"threads of", HY_OK, Open([&](auto* o) { o->threads_of = other_; })},
      {"pool and threads of", kInvalid, Open([&](auto* o) {
         o->pool = &pool;
         o->threads_of = other_;
       })},
      {"threads and threads of", kInvalid, Open([&](auto* o) {
         o->threads = 1;
         o->threads_of = other_;
       })},
      {"allocator without memory", HY_RESOURCE_EXHAUSTED,
       Open([&](auto* o) { o->allocator = &nothing; })},
      {"no allocate", kInvalid, Open([&](auto* o) { o->allocator = &no_allocate; })},
      {"no free", kInvalid, Open([&](auto* o) { o->allocator = &no_free; })},
      {"allocator of max", kInvalid, Open([&](auto* o) { o->allocator = &allocator_max; })},
      {"deaf callbacks", HY_OK, Open([&](auto* o) { o->callbacks = &deaf; })},
      {"callbacks of size 0", kInvalid, Open([&](auto* o) { o->callbacks = &callbacks_0; })},
      {"folder for x86", kInvalid, Open([](auto* o) { o->pipeline_cache_folder = "/x"; })},
      {"CUDA for x86", kInvalid, Open([&](auto* o) { o->cuda = &cuda; })},
      {"CUDA of size 0", kInvalid, Open([&](auto* o) { o->cuda = &cuda_0; })},
      {"CUDA's context and an index", kInvalid, Open([&](auto* o) {
         o->kind = "cuda";
         o->cuda = &with_context;
         o->index = 1;
       })},
      {"CUDA is not linked", HY_UNAVAILABLE, Open([&](auto* o) {
         o->kind = "cuda";
         o->cuda = &cuda;
       })},
      {"Vulkan of size 0", kInvalid, Open([&](auto* o) { o->vulkan = &vulkan_0; })},
      {"Vulkan without handles", kInvalid, Open([&](auto* o) {
         o->kind = "vulkan";
         o->vulkan = &no_handles;
       })},
      {"Vulkan with half a lock", kInvalid, Open([&](auto* o) {
         o->kind = "vulkan";
         o->vulkan = &half_lock;
       })},
      {"Vulkan is not linked", HY_UNAVAILABLE, Open([](auto* o) { o->kind = "vulkan"; })},
  });
}

TEST_F(HostileHostCalls, ChoosingATarget) {
  const hy_device_options good = WithSize<hy_device_options>(), size_0 = {};
  hy_device_options kind = good, index = good, threads = good;
  kind.kind = "x86";
  index.index = 1;
  threads.threads = 1;
  hy_program* program = nullptr;
  const hy_linked_program no_bytes = {nullptr, 100, nullptr, 0, nullptr};
  const hy_linked_program empty = {};
  const hy_named_call no_name = {nullptr, [](const hy_call*) -> hy_status { return nullptr; },
                                 nullptr},
                      no_function = {"f", nullptr, nullptr};
  Check({
      {"good", HY_OK, Choose([](auto*) {})},
      {"size 0", kInvalid, Choose([](auto* o) { o->struct_size = 0; })},
      {"size max", kInvalid, Choose([](auto* o) { o->struct_size = SIZE_MAX; })},
      {"threads min", kInvalid, Choose([](auto* o) { o->threads = INT32_MIN; })},
      {"threads max", HY_UNAVAILABLE, Choose([](auto* o) { o->threads = INT32_MAX; })},
      {"device min", kInvalid, Choose([](auto* o) { o->device = INT32_MIN; })},
      {"no target", kInvalid, Choose([](auto* o) { o->targets = "tpu"; })},
      {"another target", kInvalid, Choose([](auto* o) { o->targets = "cuda"; })},
      {"commas", kInvalid, Choose([](auto* o) { o->targets = ",,"; })},
      {"weights of its own", kInvalid, Choose([](auto* o) { o->weights = "/x"; })},
      {"shared device", HY_OK, Choose([&](auto* o) { o->shared_device = other_; })},
      {"shared device and threads", kInvalid, Choose([&](auto* o) {
         o->shared_device = other_;
         o->threads = 1;
       })},
      {"shared device and options", kInvalid, Choose([&](auto* o) {
         o->shared_device = other_;
         o->device_options = &good;
       })},
      {"options", HY_OK, Choose([&](auto* o) { o->device_options = &good; })},
      {"options of size 0", kInvalid, Choose([&](auto* o) { o->device_options = &size_0; })},
      {"options with a kind", kInvalid, Choose([&](auto* o) { o->device_options = &kind; })},
      {"options with an index", kInvalid, Choose([&](auto* o) { o->device_options = &index; })},
      {"options with threads", kInvalid, Choose([&](auto* o) { o->device_options = &threads; })},
  });
  EXPECT_EQ(CodeInChild(Choose([](auto* o) { o->num_calls = 1; })), kInvalid);
  EXPECT_EQ(CodeInChild(Choose([&](auto* o) {
              o->calls = &no_name;
              o->num_calls = SIZE_MAX;
            })),
            kInvalid);
  for (const hy_named_call* calls : {&no_name, &no_function}) {
    EXPECT_EQ(CodeInChild(Choose([&](auto* o) {
                o->calls = calls;
                o->num_calls = 1;
              })),
              kInvalid);
  }
  Check({
      {"file NULL", kInvalid, [&] { return hy_program_choose_file(nullptr, nullptr, &program); }},
      {"file to NULL", kInvalid, [] { return hy_program_choose_file("/x", nullptr, nullptr); }},
      {"no file", HY_NOT_FOUND,
       [&] { return hy_program_choose_file("/nowhere/x", nullptr, &program); }},
      {"linked NULL", kInvalid,
       [&] { return hy_program_choose_linked(nullptr, nullptr, &program); }},
      {"linked to NULL", kInvalid,
       [&] { return hy_program_choose_linked(&empty, nullptr, nullptr); }},
      {"linked without bytes", kInvalid,
       [&] { return hy_program_choose_linked(&no_bytes, nullptr, &program); }},
      {"linked of 0 bytes", HY_DATA_LOSS,
       [&] { return hy_program_choose_linked(&empty, nullptr, &program); }},
  });
}

TEST_F(HostileHostCalls, CustomCallsAndRuns) {
  const hy_call_function function = [](const hy_call*) -> hy_status { return nullptr; };
  const hy_done done = [](void*, hy_status) {};
  alignas(64) int32_t in = 1, out = 0;
  const void *arguments[] = {&in}, *no_argument[] = {nullptr};
  void *results[] = {&out}, *over_argument[] = {&in};
  hy_run_options size_0 = {}, small = WithSize<hy_run_options>(), foreign = small;
  small.temporaries = buffer_;
  foreign.temporaries = foreign_;
  Check({
      {"call at NULL", kInvalid,
       [&] { return hy_device_register_call(nullptr, "f", function, nullptr); }},
      {"call without a name", kInvalid,
       [&] { return hy_device_register_call(device_, nullptr, function, nullptr); }},
      {"call NULL", kInvalid,
       [&] { return hy_device_register_call(device_, "f", nullptr, nullptr); }},
      {"async NULL", kInvalid,
       [&] { return hy_run_async(nullptr, nullptr, arguments, results, done, nullptr); }},
      {"async on NULL", kInvalid,
       [&] { return hy_run_async(program_, nullptr, nullptr, results, done, nullptr); }},
      {"async on one NULL", kInvalid,
       [&] { return hy_run_async(program_, nullptr, no_argument, results, done, nullptr); }},
      {"async to NULL", kInvalid,
       [&] { return hy_run_async(program_, nullptr, arguments, nullptr, done, nullptr); }},
      {"async over its argument", kInvalid,
       [&] { return hy_run_async(program_, nullptr, arguments, over_argument, done, nullptr); }},
      {"async without a callback", kInvalid,
       [&] { return hy_run_async(program_, nullptr, arguments, results, nullptr, nullptr); }},
      {"async with options of 0", kInvalid,
       [&] { return hy_run_async(program_, &size_0, arguments, results, done, nullptr); }},
      {"temporaries of another device", kInvalid,
       [&] { return hy_run_with(program_, &foreign, arguments, results); }},
      {"temporaries that nobody needs", HY_OK,
       [&] { return hy_run_with(program_, &small, arguments, results); }},
      {"a status of max", HY_INTERNAL, [] { return hy_status_new(INT32_MAX, "x"); }},
      {"a status of min", HY_INTERNAL, [] { return hy_status_new(INT32_MIN, "x"); }},
      {"a status of 0", HY_OK, [] { return hy_status_new(0, nullptr); }},
  });
}

TEST_F(HostileHostCalls, MemoryOfTheApplication) {
  hy_buffer* made = nullptr;
  alignas(64) static uint8_t bytes[64];
  const auto wrap = [&](auto change) {
    return [this, change] {
      hy_memory memory = WithSize<hy_memory>();
      memory.handle = reinterpret_cast<uint64_t>(bytes);
      memory.bytes = 64;
      change(&memory);
      hy_buffer* buffer = nullptr;
      return hy_buffer_wrap(device_, &memory, &buffer);
    };
  };
  hy_memory memory = WithSize<hy_memory>(), size_0 = {}, told = memory;
  DLManagedTensor nothing = {};
  DLManagedTensorVersioned nothing_versioned = {}, version_max = {}, good_version = {};
  version_max.version = {UINT32_MAX, UINT32_MAX};
  good_version.version = {1, 0};
  DLManagedTensor* out = nullptr;
  DLManagedTensorVersioned* out_versioned = nullptr;
  const hy_value no_value = {};
  hy_value ranks = {};
  ranks.element_type = "f32";
  ranks.rank = INT32_MAX;
  Check({
      {"wrap", HY_OK, wrap([](auto*) {})},
      {"wrap at NULL", kInvalid, [&] { return hy_buffer_wrap(nullptr, &memory, &made); }},
      {"wrap NULL", kInvalid, [&] { return hy_buffer_wrap(device_, nullptr, &made); }},
      {"wrap to NULL", kInvalid, [&] { return hy_buffer_wrap(device_, &memory, nullptr); }},
      {"wrap of size 0", kInvalid, wrap([](auto* m) { m->struct_size = 0; })},
      {"wrap of size max", kInvalid, wrap([](auto* m) { m->struct_size = SIZE_MAX; })},
      {"wrap of handle 0", kInvalid, wrap([](auto* m) { m->handle = 0; })},
      {"wrap of max bytes", kInvalid, wrap([](auto* m) { m->bytes = UINT64_MAX; })},
      {"wrap at max", kInvalid, wrap([](auto* m) { m->handle = UINT64_MAX; })},
      {"wrap with an offset", kInvalid, wrap([](auto* m) { m->offset = UINT64_MAX; })},
      {"memory of NULL", kInvalid, [&] { return hy_buffer_memory(nullptr, &told); }},
      {"memory to NULL", kInvalid, [&] { return hy_buffer_memory(buffer_, nullptr); }},
      {"memory of size 0", kInvalid, [&] { return hy_buffer_memory(buffer_, &size_0); }},
      {"memory", HY_OK, [&] { return hy_buffer_memory(buffer_, &told); }},
      {"tensor at NULL", kInvalid,
       [&] { return hy_buffer_from_dlpack(nullptr, &nothing, nullptr, &made); }},
      {"tensor NULL", kInvalid,
       [&] { return hy_buffer_from_dlpack(device_, nullptr, nullptr, &made); }},
      {"tensor to NULL", kInvalid,
       [&] { return hy_buffer_from_dlpack(device_, &nothing, nullptr, nullptr); }},
      {"tensor of zeros", kInvalid,
       [&] { return hy_buffer_from_dlpack(device_, &nothing, nullptr, &made); }},
      {"versioned at NULL", kInvalid,
       [&] { return hy_buffer_from_dlpack_versioned(nullptr, &good_version, nullptr, &made); }},
      {"versioned NULL", kInvalid,
       [&] { return hy_buffer_from_dlpack_versioned(device_, nullptr, nullptr, &made); }},
      {"versioned to NULL", kInvalid,
       [&] { return hy_buffer_from_dlpack_versioned(device_, &good_version, nullptr, nullptr); }},
      {"versioned of zeros", HY_UNIMPLEMENTED,
       [&] {
         return hy_buffer_from_dlpack_versioned(device_, &nothing_versioned, nullptr, &made);
       }},
      {"version max", HY_UNIMPLEMENTED,
       [&] { return hy_buffer_from_dlpack_versioned(device_, &version_max, nullptr, &made); }},
      {"to tensor of NULL", kInvalid,
       [&] { return hy_buffer_to_dlpack(nullptr, &no_value, &out); }},
      {"to tensor without a value", kInvalid,
       [&] { return hy_buffer_to_dlpack(buffer_, nullptr, &out); }},
      {"to tensor of nothing", kInvalid,
       [&] { return hy_buffer_to_dlpack(buffer_, &no_value, &out); }},
      {"to tensor of max ranks", kInvalid,
       [&] { return hy_buffer_to_dlpack(buffer_, &ranks, &out); }},
      {"to NULL tensor", kInvalid,
       [&] { return hy_buffer_to_dlpack(buffer_, &no_value, nullptr); }},
      {"to versioned of NULL", kInvalid,
       [&] { return hy_buffer_to_dlpack_versioned(nullptr, &no_value, &out_versioned); }},
      {"to versioned without a value", kInvalid,
       [&] { return hy_buffer_to_dlpack_versioned(buffer_, nullptr, &out_versioned); }},
      {"to versioned of nothing", kInvalid,
       [&] { return hy_buffer_to_dlpack_versioned(buffer_, &no_value, &out_versioned); }},
      {"to NULL versioned", kInvalid,
       [&] { return hy_buffer_to_dlpack_versioned(buffer_, &no_value, nullptr); }},
      {"nothing of NULL", HY_OK,
       [] {
         bool right = *hy_device_kind(nullptr) == '\0' && hy_program_device(nullptr) == nullptr;
         right &= *hy_program_target(nullptr) == '\0' && *hy_program_choice(nullptr) == '\0';
         const hy_status status = hy_status_new(HY_INTERNAL, nullptr);
         right &= *hy_status_message(status) == '\0';
         hy_status_free(status);
         return right ? nullptr : hy_status_new(HY_INTERNAL, "wrong");
       }},
  });
}

}  // namespace
}  // namespace halyard::testing
