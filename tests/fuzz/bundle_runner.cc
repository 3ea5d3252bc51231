#include "tests/fuzz/bundle_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "runtime/program/call_types.h"

namespace halyard {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// What a run may take of the test's memory.
constexpr uint64_t kMostBytes = uint64_t{64} << 20;

// An array of exactly this size, so that a sanitizer sees what is written behind it.
Array NewArray(uint64_t bytes, bool aligned) {
  void* memory = nullptr;
  const size_t size = bytes == 0 ? 1 : bytes;
  if (posix_memalign(&memory, aligned ? 64 : 8, size) != 0) memory = nullptr;
  if (memory != nullptr) memset(memory, 0, size);
  return {memory, &free};
}

// What an application knows of the elements: their type.
uint64_t BytesOfElement(const char* type) {
  const int64_t number = runtime::CallTypeNumber(type, strlen(type));
  return number < 0 ? 0 : runtime::kCallTypes[number].bytes;
}

// Sets of sizes: the least, the largest, one between them, and one that is too large.
std::vector<std::vector<int64_t>> SizesToTry(const hy_program* program) {
  std::vector<std::vector<int64_t>> all(4);
  for (int i = 0; i < hy_program_num_sizes(program); ++i) {
    hy_size size = {};
    EXPECT_EQ(hy_program_size(program, i, &size), nullptr);
    EXPECT_NE(size.name, nullptr);
    int64_t sum = static_cast<int64_t>(strlen(size.name));
    for (int k = 0; k < size.num_listed; ++k) sum += size.listed[k];
    const int64_t between =
        size.num_listed > 0 ? size.listed[sum % size.num_listed] : (size.least + size.most) / 2;
    const int64_t tried[] = {size.least, size.most, between, size.most + 1};
    for (size_t k = 0; k < 4; ++k) all[k].push_back(tried[k]);
  }
  return all;
}

}  // namespace

Canceller::~Canceller() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Canceller::set_patience(milliseconds patience) {
  std::lock_guard<std::mutex> lock(mutex_);
  patience_ = patience;
}

void Canceller::Begin(hy_cancel* cancel) {
  std::lock_guard<std::mutex> lock(mutex_);
  running_ = cancel;
  since_ = steady_clock::now();
}

void Canceller::End() {
  std::lock_guard<std::mutex> lock(mutex_);
  running_ = nullptr;
}

void Canceller::Watch() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!done_) {
    if (running_ != nullptr && steady_clock::now() - since_ > patience_)
      hy_cancel_request(running_);
    changed_.wait_for(lock, milliseconds(5));
  }
}

void Runner::Take(hy_status status, hy_program* program, Counts* counts) {
  if (status != nullptr) {
    EXPECT_EQ(program, nullptr);
    EXPECT_STRNE(hy_status_message(status), "");
    counts->last_error = hy_status_message(status);
    hy_status_free(status);
    ++counts->refused;
    return;
  }
  const int num_entries = hy_program_num_entries(program);
  EXPECT_GE(num_entries, 1);
  for (int i = 0; i < std::min(num_entries, 8); ++i) {
    hy_program* entry = program;
    // Damage may give two entries one name, or none.
    if (num_entries > 1) {
      EXPECT_EQ(hy_program_entry(program, hy_program_entry_name(program, i), &entry), nullptr);
    }
    RunEntry(entry, counts);
  }
  hy_status_free(hy_program_verify(program));
  hy_program_free(program);
}

// Returns whether the arrays are small enough. Without sizes, the program has none.
bool Runner::MakeArrays(const hy_program* program, const int64_t* sizes, Arrays* arrays) {
  uint64_t bytes = hy_program_temporary_bytes(program), text = 0;
  const int num_arguments = hy_program_num_arguments(program),
            num_results = hy_program_num_results(program);
  std::vector<uint64_t> bytes_of;
  for (int i = 0; i < num_arguments + num_results; ++i) {
    const bool argument = i < num_arguments;
    const int index = argument ? i : i - num_arguments;
    hy_value value = {};
    EXPECT_EQ(argument ? hy_program_argument(program, index, &value)
                       : hy_program_result(program, index, &value),
              nullptr);
    text += strlen(value.name) + strlen(value.element_type);
    for (int d = 0; d < value.rank; ++d) {
      text += static_cast<uint64_t>(value.dims[d]);
      if (value.minor_to_major != nullptr) text += static_cast<uint64_t>(value.minor_to_major[d]);
    }
    uint64_t size = value.bytes;
    if (sizes != nullptr) {
      std::vector<int64_t> dims(static_cast<size_t>(value.rank) + 1, -1);
      hy_status status = argument ? hy_program_argument_dims(program, index, sizes, dims.data())
                                  : hy_program_result_dims(program, index, sizes, dims.data());
      if (status != nullptr) return hy_status_free(status), true;  // neither does the run take them
      size = BytesOfElement(value.element_type);
      for (int d = 0; d < value.rank; ++d) {
        EXPECT_GE(dims[static_cast<size_t>(d)], 0);
        size *= static_cast<uint64_t>(dims[static_cast<size_t>(d)]);
      }
      EXPECT_EQ(dims.back(), -1);
    }
    bytes += size;
    bytes_of.push_back(size);
    if (bytes > kMostBytes || size > kMostBytes) return false;
  }
  text += strlen(hy_program_name(program)) + strlen(hy_program_target(program)) +
          strlen(hy_program_choice(program));
  volatile uint64_t read = text;
  (void)read;
  for (int i = 0; i < num_arguments + num_results; ++i)
    (i < num_arguments ? arrays->arguments : arrays->results)
        .push_back(NewArray(bytes_of[static_cast<size_t>(i)], i % 2 == 0));
  return true;
}

void Runner::RunEntry(hy_program* program, Counts* counts) {
  if (hy_program_num_sizes(program) == 0) return RunWith(program, nullptr, counts);
  for (const std::vector<int64_t>& sizes : SizesToTry(program))
    RunWith(program, sizes.data(), counts);
}

void Runner::RunWith(hy_program* program, const int64_t* sizes, Counts* counts) {
  Arrays arrays;
  if (!MakeArrays(program, sizes, &arrays)) {
    ++counts->too_large;
    return;
  }
  std::vector<const void*> in(static_cast<size_t>(hy_program_num_arguments(program)));
  std::vector<void*> out(static_cast<size_t>(hy_program_num_results(program)));
  for (size_t i = 0; i < arrays.arguments.size(); ++i) in[i] = arrays.arguments[i].get();
  for (size_t i = 0; i < arrays.results.size(); ++i) out[i] = arrays.results[i].get();
  hy_cancel cancel = {0};
  hy_run_options options = {};
  options.struct_size = sizeof(options);
  options.cancel = &cancel;
  canceller_.Begin(&cancel);
  hy_status status = nullptr;
  for (int i = 0; i < 2 && status == nullptr; ++i) {
    status = sizes == nullptr ? hy_run_with(program, &options, in.data(), out.data())
                              : hy_run_sized(program, &options, sizes, in.data(), out.data());
  }
  canceller_.End();
  const int code = hy_status_code(status);
  // A size that is too large is wrong of the caller, not of the program.
  const bool refused = sizes != nullptr && code == HY_INVALID_ARGUMENT;
  if (status != nullptr && !refused) counts->last_error = hy_status_message(status);
  hy_status_free(status);
  if (refused) return;
  ++(code == HY_OK ? counts->right : code == HY_ABORTED ? counts->cancelled : counts->failed);
}

}  // namespace halyard
