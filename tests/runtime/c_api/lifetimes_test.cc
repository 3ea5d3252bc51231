// Buffers and programs that are freed, written or donated while a run of another thread, or a
// tensor, uses them.
#include <semaphore.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "runtime/c_api/dlpack_abi.h"
#include "runtime/program/bundle/catalogue_spec.h"
#include "tests/runtime/c_api/c_api_fixture.h"

namespace halyard::testing {
namespace {

// A custom call that stays in a run until it is let go. Its work in the meantime is `inside`.
struct Gate {
  Gate() {
    sem_init(&entered, 0, 0);
    sem_init(&open, 0, 0);
  }
  ~Gate() {
    sem_destroy(&entered);
    sem_destroy(&open);
  }
  static hy_status Pass(const hy_call* call) {
    Gate* self = static_cast<Gate*>(call->user);
    std::memcpy(call->out[0], call->in[0], sizeof(int32_t));
    sem_post(&self->entered);
    if (self->inside != nullptr) self->inside(self->user);
    while (sem_wait(&self->open) != 0) {
    }
    return nullptr;
  }
  sem_t entered, open;
  void (*inside)(void* user) = nullptr;
  void* user = nullptr;
};

// out0 = arg0 + 1, s32[], behind the gate
ProgramBuilder Gated(const std::string& name) {
  ProgramBuilder b(name);
  const auto in = b.Parameter("s32", {}, 4), out = b.Result("s32", {}, 4);
  b.Call(0, "gate", {in}, {b.Temp(4)});
  b.Launch(0, b.Kernel(IncrementKernel("hyk_" + name, 1)), {in}, {out});
  return b;
}

class LifetimesTest : public X86Test {
 protected:
  void SetUp() override {
    X86Test::SetUp();
    ASSERT_EQ(hy_device_register_call(device_, "gate", &Gate::Pass, &gate_), nullptr);
    program_ = Load(Gated("gated").Write());
    in_ = NewBuffer(5);
  }
  hy_buffer* NewBuffer(int32_t value) {
    hy_buffer* buffer = nullptr;
    EXPECT_EQ(hy_buffer_from_host(device_, &value, sizeof(value), &buffer), nullptr);
    return buffer;
  }
  static int32_t Value(const hy_buffer* buffer) {
    int32_t value = 0;
    EXPECT_EQ(hy_buffer_to_host(buffer, &value, sizeof(value)), nullptr);
    return value;
  }
  // Starts a run in a thread of its own, and returns when it is in the gate.
  void StartRun() {
    run_ = std::thread([this] {
      hy_buffer* const arguments[] = {in_};
      hy_status status = hy_run_buffers(program_, arguments, nullptr, &out_);
      EXPECT_EQ(status, nullptr) << hy_status_message(status);
      hy_status_free(status);
    });
    while (sem_wait(&gate_.entered) != 0) {
    }
  }
  void EndRun() {
    sem_post(&gate_.open);
    run_.join();
  }
  // Does `work` in a thread while the run is in the gate, which it must wait for.
  template <typename Work>
  void WaitsForTheRun(const Work& work) {
    std::atomic<bool> done{false};
    std::thread other([&] {
      work();
      done = true;
    });
    usleep(30000);
    EXPECT_FALSE(done);
    EndRun();
    other.join();
  }

  Gate gate_;
  hy_program* program_ = nullptr;
  hy_buffer *in_ = nullptr, *out_ = nullptr;
  std::thread run_;
};

TEST_F(LifetimesTest, ABufferInUseIsFreedAfterTheRun) {
  StartRun();
  hy_buffer_free(in_);
  hy_buffer* next = NewBuffer(100);  // would get the memory of a buffer that is free
  EndRun();
  EXPECT_EQ(Value(out_), 6);
  hy_buffer_free(next);
  hy_buffer_free(out_);
  hy_program_free(program_);
}

TEST_F(LifetimesTest, WrappedMemoryIsGivenBackAfterTheRun) {
  alignas(64) static int32_t memory[16];
  memory[0] = 7;
  hy_memory given = WithSize<hy_memory>();
  given.handle = reinterpret_cast<uint64_t>(memory);
  given.bytes = 4;
  hy_buffer_free(in_);
  ASSERT_EQ(hy_buffer_wrap(device_, &given, &in_), nullptr);
  StartRun();
  WaitsForTheRun([&] {
    hy_buffer_free(in_);
    memory[0] = 100;  // the application's again
  });
  EXPECT_EQ(Value(out_), 8);
  hy_buffer_free(out_);
  hy_program_free(program_);
}

TEST_F(LifetimesTest, WritingWaitsForRunsThatRead) {
  StartRun();
  EXPECT_EQ(Value(in_), 5) << "reading does not wait for those that read";
  WaitsForTheRun([&] {
    const int32_t value = 100;
    EXPECT_EQ(hy_buffer_write(in_, &value, sizeof(value)), nullptr);
  });
  EXPECT_EQ(Value(out_), 6);
  EXPECT_EQ(Value(in_), 100);
  hy_buffer_free(in_);
  hy_buffer_free(out_);
  hy_program_free(program_);
}

TEST_F(LifetimesTest, ReadingWaitsForRunsThatWrite) {
  out_ = NewBuffer(0);
  StartRun();
  EXPECT_EQ(hy_buffer_is_ready(out_), 0);
  EXPECT_EQ(hy_buffer_is_ready(in_), 1);
  WaitsForTheRun([&] { EXPECT_EQ(Value(out_), 6); });
  EXPECT_EQ(hy_buffer_is_ready(out_), 1);
  hy_buffer_free(in_);
  hy_buffer_free(out_);
  hy_program_free(program_);
}

TEST_F(LifetimesTest, DonationWaitsForRunsThatRead) {
  ProgramBuilder b("take");
  const auto in = b.Parameter("s32", {}, 4, /*donated_to=*/0), out = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(IncrementKernel("hyk_take", 50)), {in}, {out});
  hy_program* taking = Load(b.Write());
  hy_buffer* taken = nullptr;
  StartRun();
  WaitsForTheRun([&] {
    hy_buffer* const arguments[] = {in_};
    const unsigned char donate[] = {1};
    EXPECT_EQ(hy_run_buffers(taking, arguments, donate, &taken), nullptr);
  });
  EXPECT_EQ(Value(out_), 6);
  EXPECT_EQ(Value(taken), 55);
  for (hy_buffer* buffer : {in_, out_, taken}) hy_buffer_free(buffer);
  hy_program_free(taking);
  hy_program_free(program_);
}

TEST_F(LifetimesTest, FreeingAProgramWaitsForItsCalls) {
  StartRun();
  WaitsForTheRun([&] { hy_program_free(program_); });
  EXPECT_EQ(Value(out_), 6);
  hy_buffer_free(in_);
  hy_buffer_free(out_);
}

// Nothing waits for the run in which it is.
TEST_F(LifetimesTest, ACustomCallMayFreeWhatItsRunUses) {
  struct Own {
    hy_program* program;
    hy_buffer* buffer;
  } own = {program_, in_};
  gate_.user = &own;
  gate_.inside = [](void* user) {
    hy_program_free(static_cast<Own*>(user)->program);
    hy_buffer_free(static_cast<Own*>(user)->buffer);
  };
  StartRun();
  EndRun();
  EXPECT_EQ(Value(out_), 6);
  hy_buffer_free(out_);
}

TEST_F(LifetimesTest, ATensorKeepsItsMemoryFromDonation) {
  hy_program_free(program_);
  ProgramBuilder b("take");
  const auto in = b.Parameter("s32", {}, 4, /*donated_to=*/0), out = b.Result("s32", {}, 4);
  b.Launch(0, b.Kernel(IncrementKernel("hyk_take", 50)), {in}, {out});
  program_ = Load(b.Write());
  hy_value value;
  ASSERT_EQ(hy_program_argument(program_, 0, &value), nullptr);
  DLManagedTensor* tensor = nullptr;
  ASSERT_EQ(hy_buffer_to_dlpack(in_, &value, &tensor), nullptr);
  hy_buffer* const arguments[] = {in_};
  const unsigned char donate[] = {1};
  ASSERT_EQ(hy_run_buffers(program_, arguments, donate, &out_), nullptr);
  EXPECT_EQ(Value(out_), 55);
  EXPECT_EQ(*static_cast<const int32_t*>(tensor->tensor.data), 5);
  tensor->deleter(tensor);
  // Without a tensor, its memory becomes the result's.
  hy_buffer* next = nullptr;
  ASSERT_EQ(hy_run_buffers(program_, arguments, donate, &next), nullptr);
  EXPECT_EQ(Value(next), 55);
  hy_memory memory = WithSize<hy_memory>();
  ExpectError(hy_buffer_memory(in_, &memory), HY_INVALID_ARGUMENT, "donated");
  for (hy_buffer* buffer : {in_, out_, next}) hy_buffer_free(buffer);
  hy_program_free(program_);
}

// A program of several entries, which share what they hold.
class EntriesTest : public LifetimesTest {
 protected:
  void LoadEntries(std::vector<CatalogueSpec::Entry> entries,
                   const std::vector<ProgramSpec>& parts) {
    hy_program_free(program_);
    CatalogueSpec catalogue;
    catalogue.entries = std::move(entries);
    const std::string bytes = WriteBundle(parts, catalogue);
    ASSERT_LE(bytes.size(), sizeof(bundle_));
    std::memcpy(bundle_, bytes.data(), bytes.size());
    hy_choose_options options = WithSize<hy_choose_options>();
    options.shared_device = device_;
    hy_linked_program linked = {};  // for the sake of its bytes, without linked kernels
    linked.bytes = bundle_;
    linked.size = bytes.size();
    hy_status status = hy_program_choose_linked(&linked, &options, &program_);
    ASSERT_EQ(status, nullptr) << hy_status_message(status);
  }
  static CatalogueSpec::Entry Scalars(const std::string& name) {
    CatalogueSpec::Entry entry;
    entry.name = name;
    entry.arguments = {{}};
    entry.results = {{}};
    return entry;
  }
  alignas(256) inline static char bundle_[65536];
};

TEST_F(EntriesTest, LiveUntilTheLastQueuedRunHasEnded) {
  LoadEntries({Scalars("first"), Scalars("second")}, {Gated("first").spec, Gated("second").spec});
  struct Run {
    hy_program* program;  // which its callback frees, or null
    std::atomic<int> code{-1};
    alignas(64) int32_t in = 5, out = 0;
    const void* arguments[1];
    void* results[1];
    static void Done(void* user, hy_status status) {
      Run* self = static_cast<Run*>(user);
      hy_program_free(self->program);
      self->code = hy_status_code(status);
      hy_status_free(status);
    }
  } runs[2];
  for (Run& run : runs) {
    run.program = &run == &runs[0] ? program_ : nullptr;
    run.arguments[0] = &run.in;
    run.results[0] = &run.out;
    ASSERT_EQ(hy_run_async(program_, nullptr, run.arguments, run.results, &Run::Done, &run),
              nullptr);
  }
  sem_post(&gate_.open);
  sem_post(&gate_.open);
  for (Run& run : runs) {
    while (run.code < 0) usleep(100);
    EXPECT_EQ(run.code, HY_OK);
    EXPECT_EQ(run.out, 6);
  }
  hy_buffer_free(in_);
}

TEST_F(EntriesTest, FreeingWaitsForCallsOfAnyEntry) {
  LoadEntries({Scalars("first"), Scalars("second")}, {Gated("first").spec, Gated("second").spec});
  hy_program* first = program_;
  ASSERT_EQ(hy_program_entry(first, "second", &program_), nullptr);
  StartRun();
  WaitsForTheRun([&] { hy_program_free(first); });
  EXPECT_EQ(Value(out_), 6);
  hy_buffer_free(in_);
  hy_buffer_free(out_);
}

// One argument and one result, s32[n] for n from 1 to 4.
TEST_F(EntriesTest, RunsOfASizeWriteToMemoryOfTheApplication) {
  ProgramBuilder b("sized");
  const auto in = b.Parameter("s32", {4}, 16);
  b.Parameter("s32", {}, 4);
  b.Copy(0, in, b.Result("s32", {4}, 16));
  CatalogueSpec::Entry entry = Scalars("sized");
  entry.variables = {{"n", 1, {4}, false}};
  entry.arguments = entry.results = {{{{0, 1}, {}}}};
  LoadEntries({entry}, {b.spec});
  alignas(64) static int32_t memory[16];
  hy_memory given = WithSize<hy_memory>();
  given.handle = reinterpret_cast<uint64_t>(memory);
  for (const int64_t n : {4, 3}) {
    std::vector<int32_t> values = {1, 2, 3, 4};
    hy_buffer *argument = nullptr, *result = nullptr;
    given.bytes = 4 * static_cast<uint64_t>(n);
    given.read_only = 0;
    ASSERT_EQ(hy_buffer_from_host(device_, values.data(), given.bytes, &argument), nullptr);
    ASSERT_EQ(hy_buffer_wrap(device_, &given, &result), nullptr);
    std::memset(memory, 0, sizeof(memory));
    ASSERT_EQ(hy_run_buffers_sized(program_, nullptr, &n, &argument, &result), nullptr);
    EXPECT_EQ(memory[n - 1], n);
    EXPECT_EQ(memory[n], 0);
    hy_buffer_free(result);
    given.read_only = 1;
    ASSERT_EQ(hy_buffer_wrap(device_, &given, &result), nullptr);
    ExpectError(hy_run_buffers_sized(program_, nullptr, &n, &argument, &result),
                HY_INVALID_ARGUMENT, "result 0 (out0) is read-only memory");
    ExpectError(hy_buffer_write(result, values.data(), 4), HY_INVALID_ARGUMENT, "read-only");
    hy_buffer_free(result);
    hy_buffer_free(argument);
  }
  // hy_run_grid cannot give sizes, so it refuses the program.
  const void* const arguments[] = {memory};
  void* const results[] = {memory};
  const void* const* of_processes[] = {arguments};
  void* const* results_of_processes[] = {results};
  ExpectError(hy_run_grid(program_, nullptr, nullptr, of_processes, results_of_processes),
              HY_INVALID_ARGUMENT, "hy_run_grid: sized has sizes that a run chooses");
  hy_buffer_free(in_);
  hy_program_free(program_);
}

}  // namespace
}  // namespace halyard::testing
