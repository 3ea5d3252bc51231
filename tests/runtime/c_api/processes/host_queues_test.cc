// Programs that communicate, run by the C API: queues and callbacks of the host, and grids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "runtime/c_api/halyard_rt.h"
#include "tests/runtime/program_builder.h"
#include "tests/runtime/x86/test_kernels.h"

namespace {

using halyard::ProgramSpec;
using halyard::testing::IncrementKernel;
using halyard::testing::LessThanKernel;
using halyard::testing::ProgramBuilder;
using ::testing::HasSubstr;
using Kind = ProgramSpec::Step::Kind;

// Reads `rounds` numbers from the infeed, and writes each plus 7 to the outfeed.
std::string Fed(int rounds) {
  ProgramBuilder b("fed", 3);
  const auto start = b.Parameter("s32", {}, 4);
  const auto out = b.Result("s32", {}, 4);
  const auto i = b.Temp(4), next = b.Temp(4), x = b.Temp(4), y = b.Temp(4), more = b.Temp(1);
  b.Copy(0, start, i);
  b.While(0, more, 1, 2);
  b.Copy(0, i, out);
  b.Launch(1, b.Kernel(LessThanKernel("hyk_less", rounds)), {i}, {more});
  b.Communicate(2, Kind::kInfeed, {}, {}, {x}).target = "s32[]";
  b.Launch(2, b.Kernel(IncrementKernel("hyk_seven", 7)), {x}, {y});
  b.Communicate(2, Kind::kOutfeed, {}, {y}, {}).target = "s32[]";
  b.Launch(2, b.Kernel(IncrementKernel("hyk_one", 1)), {i}, {next});
  b.Copy(2, next, i);
  return b.Write();
}

// Sends its argument to the host on channel 3, and returns what the host sends on channel 4.
std::string Transfers() {
  ProgramBuilder b("transfers");
  const auto x = b.Parameter("s32", {}, 4);
  const auto out = b.Result("pred", {2}, 2);
  b.Communicate(0, Kind::kSend, {3, 1}, {x}, {}).target = "s32[]";
  b.Communicate(0, Kind::kReceive, {4, 1}, {}, {out}).target = "pred[2]";
  return b.Write();
}

// Four processes, of two replicas; each returns the arguments of its replica's two.
std::string Grid() {
  ProgramBuilder b("grid");
  b.spec.num_replicas = b.spec.num_partitions = 2;
  const auto x = b.Parameter("s32", {}, 4);
  const auto out = b.Result("s32", {2}, 8);
  // gather: two groups of two
  b.Communicate(0, Kind::kExchange, {0, 2, 2, 2, 0, 1, 2, 3}, {x}, {out}).target = "s32[]";
  return b.Write();
}

// Two processes of which only the first takes part in an exchange, after reading its infeed.
std::string Lonely() {
  ProgramBuilder b("lonely", 3);
  b.spec.num_replicas = 2;
  const auto x = b.Parameter("s32", {}, 4);
  const auto out = b.Result("s32", {2}, 8);
  const auto own = b.Temp(4);
  b.Communicate(0, Kind::kProcessId, {0}, {}, {own});
  b.Case(0, own, {1, 2});
  b.Communicate(1, Kind::kExchange, {0, 1, 2, 0, 1}, {x}, {out}).target = "s32[]";
  b.Communicate(2, Kind::kOutfeed, {}, {x}, {}).target = "s32[]";
  return b.Write();
}

void ExpectError(hy_status status, int code, const std::string& text) {
  EXPECT_EQ(hy_status_code(status), code);
  EXPECT_THAT(hy_status_message(status), HasSubstr(text));
  hy_status_free(status);
}

hy_array Array(void* data, uint64_t bytes) { return {data, bytes}; }

class HostQueuesTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(hy_device_open("x86", 0, 1, &device_), nullptr); }
  void TearDown() override {
    hy_program_free(program_);
    for (hy_host* host : hosts_) hy_host_free(host);
    hy_device_close(device_);
  }
  void Load(const std::string& bytes) {
    hy_program_free(program_);
    program_ = nullptr;
    const hy_status status =
        hy_program_load_memory(device_, bytes.data(), bytes.size(), 1, &program_);
    ASSERT_EQ(status, nullptr) << hy_status_message(status);
  }
  hy_host* Host(int capacity) {
    hy_host* host = nullptr;
    EXPECT_EQ(hy_host_new(capacity, &host), nullptr);
    hosts_.push_back(host);
    return host;
  }
  // Runs a program of one process with an argument and a result.
  hy_status Run(hy_host* host, int32_t argument, void* result,
                const hy_run_options* options = nullptr) {
    const void* own_arguments[] = {&argument};
    void* own_results[] = {result};
    const void* const* arguments[] = {own_arguments};
    void* const* results[] = {own_results};
    return hy_run_grid(program_, options, &host, arguments, results);
  }

  hy_device* device_ = nullptr;
  hy_program* program_ = nullptr;
  std::vector<hy_host*> hosts_;
};

// Queues of four items hold back whoever is faster.
TEST_F(HostQueuesTest, AHundredThousandItemsThroughALoopNoneIsLost) {
  constexpr int kItems = 100000;
  Load(Fed(kItems));
  EXPECT_EQ(hy_program_communicates(program_), 1);
  hy_host* host = Host(4);
  std::thread feeding([&] {
    for (int32_t i = 0; i < kItems; ++i) {
      const hy_array array = Array(&i, 4);
      ASSERT_EQ(hy_host_push(host, HY_INFEED, 0, i % 2 == 0 ? "s32[]" : nullptr, &array, 1),
                nullptr);
    }
  });
  std::thread taking([&] {
    for (int32_t i = 0; i < kItems; ++i) {
      hy_item* item = nullptr;
      ASSERT_EQ(hy_host_pop(host, HY_OUTFEED, 0, &item), nullptr);
      ASSERT_STREQ(hy_item_shapes(item), "s32[]");
      ASSERT_EQ(hy_item_num_arrays(item), 1);
      const hy_array array = hy_item_array(item, 0);
      ASSERT_EQ(array.bytes, 4u);
      ASSERT_EQ(*static_cast<const int32_t*>(array.data), i + 7);
      hy_item_free(item);
    }
  });
  int32_t rounds = 0;
  EXPECT_EQ(Run(host, 0, &rounds), nullptr);
  feeding.join();
  taking.join();
  EXPECT_EQ(rounds, kItems);
  hy_item* item = nullptr;
  ExpectError(hy_host_pop(host, HY_OUTFEED, 0, &item), HY_OUT_OF_RANGE, "closed and empty");
  ExpectError(Run(host, 0, &rounds), HY_FAILED_PRECONDITION, "has served another run");
}

TEST_F(HostQueuesTest, ClosingAQueueEarlyIsAnErrorOnBothSides) {
  Load(Fed(10));
  int32_t rounds = 0, value = 1;
  const hy_array array = Array(&value, 4);
  hy_host* host = Host(0);
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(hy_host_push(host, HY_INFEED, 0, nullptr, &array, 1), nullptr);
  ASSERT_EQ(hy_host_close_port(host, HY_INFEED, 0), nullptr);
  ExpectError(hy_host_push(host, HY_INFEED, 0, nullptr, &array, 1), HY_FAILED_PRECONDITION,
              "the queue is closed");
  ExpectError(Run(host, 0, &rounds), HY_OUT_OF_RANGE,
              "process (0, 0): step 2.0: the queue is closed and empty");
  // What came before the error is still there.
  for (int i = 0; i < 3; ++i) {
    hy_item* item = nullptr;
    ASSERT_EQ(hy_host_pop(host, HY_OUTFEED, 0, &item), nullptr);
    hy_item_free(item);
  }
  // The host takes no more. The program waits for room then.
  host = Host(1);
  std::thread feeding([&] {
    while (true) {
      hy_status status = hy_host_push(host, HY_INFEED, 0, nullptr, &array, 1);
      if (status != nullptr) return hy_status_free(status);
    }
  });
  std::thread closing([&] {
    usleep(50000);
    EXPECT_EQ(hy_host_close_port(host, HY_OUTFEED, 0), nullptr);
  });
  ExpectError(Run(host, 0, &rounds), HY_FAILED_PRECONDITION, "step 2.2: the queue is closed");
  feeding.join();  // the end of the run closes the infeed
  closing.join();
}

TEST_F(HostQueuesTest, ItemsMustBeWhatTheProgramTakes) {
  Load(Fed(1));
  int32_t rounds = 0;
  int64_t value = 1;
  struct {
    const char* shapes;
    uint64_t bytes;
    int arrays;
    const char* text;
  } const cases[] = {{"s32[2]", 8, 1, "the host gives s32[2], the program takes s32[]"},
                     {nullptr, 8, 1, "the host gives 8 bytes, the program takes s32[]"},
                     {"f32[]", 4, 1, "the host gives f32[], the program takes s32[]"},
                     {nullptr, 0, 0, "the host gives nothing, the program takes s32[]"}};
  for (const auto& one : cases) {
    hy_host* host = Host(0);
    const hy_array array = Array(&value, one.bytes);
    ASSERT_EQ(hy_host_push(host, HY_INFEED, 0, one.shapes, &array, one.arrays), nullptr);
    ExpectError(Run(host, 0, &rounds), HY_INVALID_ARGUMENT, one.text);
  }
  ExpectError(Run(nullptr, 0, &rounds), HY_FAILED_PRECONDITION, "no host that gives it");
  const void* const* no_arguments[] = {nullptr};
  void* const* no_results[] = {nullptr};
  ExpectError(hy_run_grid(program_, nullptr, nullptr, no_arguments, no_results),
              HY_INVALID_ARGUMENT, "arguments or results are NULL");
  ExpectError(hy_run_grid(nullptr, nullptr, nullptr, nullptr, nullptr), HY_INVALID_ARGUMENT,
              "program is NULL");
}

struct Called {
  std::vector<int32_t> taken;
  std::string shapes;
  int fails = 0;
  uint8_t second = 1;
};

int Take(void* user, const char* shapes, const hy_array* arrays, int num_arrays, char* error,
         size_t error_bytes) {
  Called& called = *static_cast<Called*>(user);
  called.shapes = shapes;
  for (int k = 0; k < num_arrays; ++k)
    called.taken.push_back(*static_cast<const int32_t*>(arrays[k].data));
  if (called.fails != 0) snprintf(error, error_bytes, "the disk is full");
  return called.fails;
}
int Give(void* user, const char*, const hy_array* arrays, int, char*, size_t) {
  static_cast<uint8_t*>(arrays[0].data)[0] = 0;
  static_cast<uint8_t*>(arrays[0].data)[1] = static_cast<Called*>(user)->second;
  return 0;
}

TEST_F(HostQueuesTest, CallbacksOfChannels) {
  Load(Transfers());
  for (const int way : {0, 1, 2}) {
    Called called;
    called.fails = way == 1 ? 5 : 0;
    called.second = way == 2 ? 3 : 1;  // no value of pred
    hy_host* host = Host(0);
    ASSERT_EQ(hy_host_set_transfer(host, HY_FROM_PROGRAM, 3, Take, &called), nullptr);
    ASSERT_EQ(hy_host_set_transfer(host, HY_TO_PROGRAM, 4, Give, &called), nullptr);
    uint8_t result[2] = {9, 9};
    hy_status status = Run(host, 42, result);
    EXPECT_EQ(called.taken, std::vector<int32_t>{42});
    EXPECT_EQ(called.shapes, "s32[]");
    if (way == 0) {
      EXPECT_EQ(status, nullptr) << hy_status_message(status);
      EXPECT_EQ(result[0], 0);
      EXPECT_EQ(result[1], 1);
    } else {
      ExpectError(status, way == 1 ? HY_INTERNAL : HY_INVALID_ARGUMENT,
                  way == 1 ? "step 0.0: the host's function failed with 5: the disk is full"
                           : "the host gives array 0 with element 1 = 3, no value of pred");
    }
    ExpectError(hy_host_set_transfer(host, HY_FROM_PROGRAM, 3, Take, &called),
                HY_FAILED_PRECONDITION, "a run has this host already");
  }
  // The same channels with queues.
  hy_host* host = Host(1);
  uint8_t given[2] = {1, 0}, result[2] = {9, 9};
  const hy_array array = Array(given, 2);
  ASSERT_EQ(hy_host_push(host, HY_TO_PROGRAM, 4, "pred[2]", &array, 1), nullptr);
  ASSERT_EQ(Run(host, 17, result), nullptr);
  EXPECT_EQ(result[0], 1);
  hy_item* item = nullptr;
  ASSERT_EQ(hy_host_pop(host, HY_FROM_PROGRAM, 3, &item), nullptr);
  EXPECT_EQ(*static_cast<const int32_t*>(hy_item_array(item, 0).data), 17);
  EXPECT_EQ(hy_item_array(item, 1).data, nullptr);
  hy_item_free(item);
}

TEST_F(HostQueuesTest, SeveralProcesses) {
  Load(Grid());
  EXPECT_EQ(hy_program_num_replicas(program_), 2);
  EXPECT_EQ(hy_program_num_partitions(program_), 2);
  const int32_t values[4] = {1, 2, 3, 4};
  int32_t got[4][2] = {};
  const void* own_arguments[4][1];
  void* own_results[4][1];
  const void* const* arguments[4];
  void* const* results[4];
  for (int p = 0; p < 4; ++p) {
    own_arguments[p][0] = &values[p];
    own_results[p][0] = got[p];
    arguments[p] = own_arguments[p];
    results[p] = own_results[p];
  }
  ASSERT_EQ(hy_run_grid(program_, nullptr, nullptr, arguments, results), nullptr);
  EXPECT_EQ(std::vector<int32_t>(got[0], got[0] + 8),
            (std::vector<int32_t>{1, 2, 1, 2, 3, 4, 3, 4}));
  // A host that is given twice makes the call wrong, and no host used.
  hy_host *twice = Host(1), *once = Host(1);
  hy_host* hosts[] = {once, twice, twice, nullptr};
  ExpectError(hy_run_grid(program_, nullptr, hosts, arguments, results), HY_FAILED_PRECONDITION,
              "host 2 has served another run or another process");
  hosts[2] = nullptr;
  ASSERT_EQ(hy_run_grid(program_, nullptr, hosts, arguments, results), nullptr);
  own_results[3][0] = got[1];
  ExpectError(hy_run_grid(program_, nullptr, nullptr, arguments, results), HY_INVALID_ARGUMENT,
              "of process (0, 1) overlaps an array of process (1, 1)");
  own_results[3][0] = const_cast<int32_t*>(&values[0]);
  ExpectError(hy_run_grid(program_, nullptr, nullptr, arguments, results), HY_INVALID_ARGUMENT,
              "of process (1, 1) overlaps an array of process (0, 0)");
  own_results[3][0] = got[3];
  hy_run_options options = {};
  options.struct_size = sizeof(options);
  ASSERT_EQ(hy_buffer_new(device_, 4096, &options.temporaries), nullptr);
  ExpectError(hy_run_grid(program_, &options, nullptr, arguments, results), HY_INVALID_ARGUMENT,
              "a buffer for temporaries serves one process, and ");
  hy_buffer_free(options.temporaries);
  results[3] = nullptr;
  ExpectError(hy_run_grid(program_, nullptr, nullptr, arguments, results), HY_INVALID_ARGUMENT,
              "process (1, 1): ");
  ExpectError(hy_run(program_, own_arguments[0], own_results[0]), HY_FAILED_PRECONDITION,
              "must be run together");
  Load(Lonely());
  results[1] = own_results[1];
  ExpectError(hy_run_grid(program_, nullptr, nullptr, arguments, results), HY_DEADLINE_EXCEEDED,
              "process (0, 0) waits at step 1.0 for (1, 0); the others have ended");
}

TEST_F(HostQueuesTest, ACancelledRunDoesNotWaitForItsHost) {
  Load(Fed(10));
  hy_cancel cancel = {0};
  hy_run_options options = {};
  options.struct_size = sizeof(options);
  options.cancel = &cancel;
  std::thread cancelling([&] {
    usleep(50000);
    hy_cancel_request(&cancel);
  });
  int32_t rounds = 0;
  ExpectError(Run(Host(1), 0, &rounds, &options), HY_ABORTED, "cancelled");
  cancelling.join();
}

TEST_F(HostQueuesTest, WrongCalls) {
  hy_host* host = Host(2);
  hy_item* item = nullptr;
  int32_t value = 0;
  const hy_array array = Array(&value, 4), missing = Array(nullptr, 4);
  ExpectError(hy_host_new(-1, &host), HY_INVALID_ARGUMENT, "negative capacity");
  ExpectError(hy_host_new(1, nullptr), HY_INVALID_ARGUMENT, "host is NULL");
  ExpectError(hy_host_push(nullptr, HY_INFEED, 0, nullptr, &array, 1), HY_INVALID_ARGUMENT,
              "host is NULL");
  ExpectError(hy_host_push(host, HY_OUTFEED, 0, nullptr, &array, 1), HY_INVALID_ARGUMENT,
              "only takes");
  ExpectError(hy_host_push(host, 9, 0, nullptr, &array, 1), HY_INVALID_ARGUMENT, "no port 9");
  ExpectError(hy_host_push(host, HY_INFEED, 1, nullptr, &array, 1), HY_INVALID_ARGUMENT,
              "infeed has channel 0 only");
  ExpectError(hy_host_push(host, HY_INFEED, 0, nullptr, &missing, 1), HY_INVALID_ARGUMENT,
              "array 0 is NULL");
  ExpectError(hy_host_push(host, HY_INFEED, 0, nullptr, &array, -1), HY_INVALID_ARGUMENT,
              "negative number");
  const hy_array huge = Array(&value, UINT64_MAX);
  ExpectError(hy_host_push(host, HY_INFEED, 0, nullptr, &huge, 1), HY_RESOURCE_EXHAUSTED,
              "no memory");
  ExpectError(hy_host_pop(host, HY_INFEED, 0, &item), HY_INVALID_ARGUMENT, "only gives");
  ExpectError(hy_host_pop(host, HY_OUTFEED, 0, nullptr), HY_INVALID_ARGUMENT, "item is NULL");
  ExpectError(hy_host_close_port(host, 0, 0), HY_INVALID_ARGUMENT, "no port 0");
  ExpectError(hy_host_set_transfer(host, HY_INFEED, 0, nullptr, nullptr), HY_INVALID_ARGUMENT,
              "transfer is NULL");
  ASSERT_EQ(hy_host_push(host, HY_INFEED, 0, nullptr, &array, 1), nullptr);
  ExpectError(hy_host_set_transfer(host, HY_INFEED, 0, Take, nullptr), HY_FAILED_PRECONDITION,
              "has items already");
  EXPECT_STREQ(hy_item_shapes(nullptr), "");
  EXPECT_EQ(hy_item_num_arrays(nullptr), 0);
  EXPECT_EQ(hy_program_num_replicas(nullptr), 0);
  EXPECT_EQ(hy_program_communicates(nullptr), 0);
  hy_item_free(nullptr);
  hy_host_free(nullptr);
}

}  // namespace
