// The fixture of the conformance suite, whose tests run once for each of Subjects().
#ifndef HALYARD_TESTS_BACKEND_BACKEND_TEST_H_
#define HALYARD_TESTS_BACKEND_BACKEND_TEST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backend.h"
#include "runtime/program/program_spec.h"
#include "tests/backend/subject.h"

namespace halyard::testing {

#define ASSERT_HY_OK(expression)                               \
  do {                                                         \
    const ::halyard::runtime::Status hy_status = (expression); \
    ASSERT_TRUE(hy_status.ok()) << hy_status.message();        \
  } while (false)

runtime::SliceRef Slice(uint32_t allocation, uint64_t offset, uint64_t bytes);
// Returns a step that runs a kernel with one output. `slices` must outlive the step, here and
// below.
runtime::SegmentStep KernelStep(runtime::Kernel* kernel,
                                const std::vector<runtime::SliceRef>& slices);
runtime::SegmentStep CopyStep(const std::vector<runtime::SliceRef>& slices);
std::vector<runtime::Binding> Bind(const std::vector<const runtime::Block*>& blocks);
// Returns bytes that differ by position and by seed.
std::vector<uint8_t> Pattern(size_t bytes, int seed);

class BackendTest : public ::testing::TestWithParam<SubjectEntry> {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Returns null and fails the test if the kernel cannot be loaded.
  runtime::Kernel* Load(const absl::StatusOr<KernelObjectSpec>& spec);
  runtime::Status TryLoad(const KernelObjectSpec& spec, runtime::Kernel** kernel);
  runtime::Block Make(uint64_t bytes, runtime::Space space = runtime::Space::kDevice);
  // Copies to the block, and waits.
  void Put(const runtime::Block& block, uint64_t offset, const void* data, uint64_t bytes,
           uint32_t stream = 0);
  template <typename T>
  std::vector<T> Get(const runtime::Block& block, uint64_t offset, size_t count,
                     uint32_t stream = 0) {
    std::vector<T> data(count);
    Fetch(block, offset, data.data(), count * sizeof(T), stream);
    return data;
  }
  runtime::Recording* Record(const std::vector<runtime::SegmentStep>& steps,
                             const std::vector<runtime::Binding>& bindings, uint32_t repeat = 1);
  runtime::Status TryRecord(const std::vector<runtime::SegmentStep>& steps,
                            const std::vector<runtime::Binding>& bindings, uint32_t repeat,
                            runtime::Recording** recording);
  void Run(runtime::Recording* recording, const std::vector<runtime::Binding>& bindings,
           uint32_t stream = 0);

  std::unique_ptr<Subject> subject_;
  runtime::Device* device_ = nullptr;

 private:
  void Fetch(const runtime::Block& block, uint64_t offset, void* data, uint64_t bytes,
             uint32_t stream);
};

inline std::string SubjectName(const ::testing::TestParamInfo<SubjectEntry>& info) {
  return info.param.name;
}
#define HALYARD_ON_ALL_BACKENDS(suite) \
  INSTANTIATE_TEST_SUITE_P(Backends, suite, ::testing::ValuesIn(Subjects()), SubjectName)

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_BACKEND_BACKEND_TEST_H_
