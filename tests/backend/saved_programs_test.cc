// Many threads run programs that save_programs has written, through runtime/ alone, all of which
// ThreadSanitizer can instrument. Without $HALYARD_SAVED_PROGRAMS (which scripts/nightly tsan sets)
// there is nothing to run.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/cuda/cuda.h"
#include "runtime/execute/context.h"
#include "runtime/execute/executor.h"
#include "runtime/x86/x86.h"

namespace halyard::runtime {
namespace {

constexpr int kThreads = 8, kRounds = 12;

struct Job {
  Context* context = nullptr;
  Executable* executable = nullptr;
  std::vector<std::vector<float>> arguments;
  std::vector<float> expected;
};

// Runs the job once. On success, `result` has the elements of its output.
Status RunOnce(const Job& job, const RunOptions& options, std::vector<float>* result) {
  std::vector<Buffer*> inputs;
  Status status;
  for (size_t i = 0; i < job.arguments.size() && status.ok(); ++i) {
    Buffer* buffer = nullptr;
    status = job.context->CopyFromHost(job.arguments[i].data(), job.arguments[i].size() * 4,
                                       job.executable->parameter_space(static_cast<uint32_t>(i)),
                                       &buffer);
    if (buffer != nullptr) inputs.push_back(buffer);
  }
  Buffer* output = nullptr;
  if (status.ok()) {
    status = job.executable->Run(options, inputs.data(), static_cast<uint32_t>(inputs.size()),
                                 &output, 1);
  }
  for (Buffer* buffer : inputs) buffer->Release();
  if (!status.ok()) return status;
  result->resize(output->bytes() / 4);
  status = output->CopyToHost(result->data(), 0, output->bytes());
  output->Release();
  return status;
}

class SavedPrograms : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const char* folder = getenv("HALYARD_SAVED_PROGRAMS");
    if (folder == nullptr) GTEST_SKIP() << "$HALYARD_SAVED_PROGRAMS is not set";
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    const bool cuda = std::string(GetParam()) == "cuda";
    Device* device = nullptr;
    Device* host = nullptr;
    if (cuda) {
      cuda::Options options;
      options.library = HALYARD_FAKE_LIBCUDA;
      Check(cuda::OpenDevice(0, options, &device));
      Check(x86::OpenDeviceWithThreads(2, &host));
    } else {
      Check(x86::OpenDeviceWithThreads(2, &device));
    }
    Check(Context::Create(device, host, &context_));
    for (const char* name : {"chain", "update", "loop"}) {
      Load(std::string(folder) + "/" + GetParam() + "_" + name + ".program");
    }
  }
  void TearDown() override {
    for (Job& job : jobs_) job.executable->Release();
    if (context_ != nullptr) context_->Release();
  }
  static void Check(const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); }

  void Load(const std::string& path) {
    Program* program = nullptr;
    Check(Program::Open(path.c_str(), &program));
    Job job;
    job.context = context_;
    for (uint32_t i = 0; i < program->num_parameters(); ++i) {
      std::vector<float> values(static_cast<size_t>(program->parameter(i).bytes) / 4);
      for (size_t k = 0; k < values.size(); ++k) {
        values[k] = static_cast<float>((k * 7 + i) % 13) / 4;
      }
      job.arguments.push_back(std::move(values));
    }
    Check(Executable::Create(context_, program, {}, &job.executable));
    Check(RunOnce(job, {}, &job.expected));
    jobs_.push_back(std::move(job));
  }

  Context* context_ = nullptr;
  std::vector<Job> jobs_;
};

TEST_P(SavedPrograms, ManyThreadsAndStreams) {
  ASSERT_EQ(jobs_.size(), 3u);
  std::atomic<int> right{0};
  const auto work = [&](uint32_t thread) {
    for (int round = 0; round < kRounds; ++round) {
      const Job& job = jobs_[(thread + static_cast<uint32_t>(round)) % jobs_.size()];
      RunOptions options;
      options.stream = thread % 5;
      options.asynchronous = round % 2 == 0;
      std::vector<float> result;
      const Status status = RunOnce(job, options, &result);
      EXPECT_TRUE(status.ok()) << status.message();
      right += result == job.expected;
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, kThreads * kRounds);
}

INSTANTIATE_TEST_SUITE_P(Targets, SavedPrograms, ::testing::Values("x86", "cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace halyard::runtime
