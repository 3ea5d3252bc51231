// A device that behaves like a discrete GPU, for tests of code that drives one. The CPU cannot
// access its memory, a thread runs work some time after its submission, and kernels are tiny
// programs in the text of their modules.
#ifndef HALYARD_TESTS_RUNTIME_FAKE_GPU_H_
#define HALYARD_TESTS_RUNTIME_FAKE_GPU_H_

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/backend.h"

namespace halyard::testing {

class FakeGpu final : public runtime::Device {
 public:
  FakeGpu();
  // Returns a kernel on f32 or s32 buffers. `text` is "add N" (s32: out = in + N), "less N" (s32 →
  // one byte), "sum" (f32: out = in0 + in1) or "scratch" (s32: out = in, copied through the
  // kernel's scratch).
  static std::string Kernel(const std::string& name, const std::string& text, int inputs,
                            uint64_t input_bytes, uint64_t output_bytes);

  const runtime::DeviceInfo& info() const override { return info_; }
  runtime::Status Allocate(uint64_t bytes, runtime::Space space, runtime::Block* block) override;
  void Free(runtime::Block* block) override;
  runtime::Status LoadKernel(const runtime::KernelObjectView& object,
                             runtime::Kernel** kernel) override;
  void FreeKernel(runtime::Kernel* kernel) override;
  runtime::Status Record(const runtime::Segment& segment, const runtime::Binding* bindings,
                         uint32_t num_bindings, runtime::Recording** recording) override;
  runtime::Status Submit(runtime::Recording* recording, const runtime::Binding* bindings,
                         uint32_t num_bindings, uint32_t stream, runtime::Event* done) override;
  runtime::Status SubmitTimed(runtime::Recording* recording, const runtime::Binding* bindings,
                              uint32_t num_bindings, uint32_t stream,
                              runtime::StepSpan* spans) override;
  runtime::MemoryUse memory_use(runtime::Space space) const override {
    return memory_[static_cast<int>(space)].use();
  }
  void FreeRecording(runtime::Recording* recording) override;
  runtime::Status Upload(const void* host, const runtime::Block& block, uint64_t offset,
                         uint64_t bytes, uint32_t stream, runtime::Event* done) override;
  runtime::Status Download(const runtime::Block& block, uint64_t offset, uint64_t bytes, void* host,
                           uint32_t stream, runtime::Event* done) override;
  runtime::Status Wait(runtime::Event event) override;
  bool IsDone(runtime::Event event) override;
  void Destroy() override;

  // While the device is paused, submitted work does not run.
  void Pause(bool paused);

  // Numbers of live objects, which show leaks.
  int blocks() const { return blocks_; }
  int kernels() const { return kernels_; }
  int recordings() const { return recordings_; }
  int submits() const { return submits_; }
  // Returns the number of calls of Wait for work that was not complete.
  int waits() const { return waits_; }
  // Makes work that is submitted from now on fail when it is waited for.
  void LoseDevice() { lost_ = true; }
  static int live_devices() { return live_devices_; }

 private:
  ~FakeGpu();
  void Enqueue(std::function<void()> work, runtime::Event* done);
  void Main();

  runtime::DeviceInfo info_;
  runtime::MemoryCounter memory_[2];  // by space
  std::atomic<int> blocks_{0}, kernels_{0}, recordings_{0}, submits_{0}, waits_{0};
  std::atomic<bool> lost_{false};
  static std::atomic<int> live_devices_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  uint64_t submitted_ = 0, completed_ = 0;
  bool stop_ = false, paused_ = false;
  std::thread thread_;
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RUNTIME_FAKE_GPU_H_
