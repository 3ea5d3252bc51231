#include "runtime/c_api/sized/sized_run.h"

#include <string.h>

#include "runtime/c_api/argument_checks.h"
#include "runtime/c_api/sized/program_group.h"
#include "runtime/c_api/sized/sized_copy.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

using program_format::ValueRecord;

// What a run needs of one argument or result.
struct SizedArray {
  const ValueRecord* record;                 // of the part that runs
  int64_t dims[catalogue_format::kMaxRank];  // in this run
  uint64_t bytes;                            // likewise
  uint64_t element_bytes;
  bool whole;  // the part is compiled for these dimensions
  Buffer* buffer;

  Extents extents() const { return {dims, record->rank, element_bytes}; }
};

// One run: the part that serves its sizes, and its arrays.
class SizedRun {
 public:
  SizedRun() = default;
  ~SizedRun();
  SizedRun(const SizedRun&) = delete;
  SizedRun& operator=(const SizedRun&) = delete;

  Status Prepare(Executable* program, const int64_t* sizes);
  // Runs on the buffers of the arrays.
  Status Run(const RunOptions& options);

  uint32_t num_arguments() const { return num_arguments_; }
  uint32_t num_results() const { return num_results_; }
  const SizedArray& array(uint32_t i) const { return arrays_[i]; }  // arguments, then results
  SizedArray& argument(uint32_t i) { return arrays_[i]; }
  SizedArray& result(uint32_t i) { return arrays_[num_arguments_ + i]; }
  const int64_t* padded_dims(const SizedArray& array) const {
    return part_->program().dims(*array.record);
  }
  Executable* part() const { return part_; }
  Context* context() const { return part_->context(); }
  const char* name(const SizedArray& array) const {
    return part_->program().String(array.record->name).data;
  }
  // Makes the buffer of an argument that holds `data` and zeros behind it.
  Status Pad(SizedArray* array, const void* data);

 private:
  Status Describe(const Executable& program, uint64_t part, uint64_t index,
                  const ValueRecord& record);
  Space HostSpace() const { return context()->is_x86() ? Space::kDevice : Space::kHost; }

  static constexpr uint32_t kFew = 16;
  Executable* part_ = nullptr;
  const int64_t* sizes_ = nullptr;
  uint32_t num_arguments_ = 0, num_results_ = 0, num_sizes_ = 0;
  SizedArray few_[kFew];
  SizedArray* arrays_ = nullptr;
  Buffer* size_buffers_[catalogue_format::kMaxVariables] = {};
  alignas(Context::kHostAlignment) int32_t
      size_values_[catalogue_format::kMaxVariables][Context::kHostAlignment / 4];
};

SizedRun::~SizedRun() {
  for (uint32_t i = 0; arrays_ != nullptr && i < num_arguments_ + num_results_; ++i) {
    if (arrays_[i].buffer != nullptr) arrays_[i].buffer->Release();
  }
  for (Buffer* buffer : size_buffers_) {
    if (buffer != nullptr) buffer->Release();
  }
  if (arrays_ != few_) HeapFree(arrays_);
}

Status SizedRun::Describe(const Executable& program, uint64_t part, uint64_t index,
                          const ValueRecord& record) {
  SizedArray& array = arrays_[index];
  array.record = &record;
  HY_RETURN_IF_ERROR(program.group()->Dims(program.entry(), part, index, sizes_, array.dims));
  const int64_t* padded = padded_dims(array);
  uint64_t elements = 1;
  array.whole = true;
  for (uint32_t d = 0; d < record.rank; ++d) {
    array.whole = array.whole && array.dims[d] == padded[d];
    elements *= static_cast<uint64_t>(padded[d]);
  }
  array.element_bytes = elements == 0 ? 0 : static_cast<uint64_t>(record.bytes) / elements;
  array.bytes = array.extents().bytes();
  return Status();
}

Status SizedRun::Prepare(Executable* program, const int64_t* sizes) {
  const ProgramGroup& group = *program->group();
  sizes_ = sizes;
  const Catalogue::Entry& entry = group.catalogue().entry(program->entry());
  uint64_t part = 0;
  Status found = group.catalogue().FindPart(entry, sizes, &part);
  if (!found.ok())
    return MakeStatus(found.code(), "%s: %s", program->program().name().data, found.message());
  part_ = group.part(program->entry(), part);
  num_arguments_ = static_cast<uint32_t>(entry.num_arguments);
  num_results_ = static_cast<uint32_t>(entry.num_results);
  num_sizes_ = static_cast<uint32_t>(entry.num_variables);
  const uint32_t count = num_arguments_ + num_results_;
  arrays_ = few_;
  if (count > kFew)
    arrays_ = static_cast<SizedArray*>(HeapAllocateZeroed(count, sizeof(SizedArray)));
  if (arrays_ == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for a run's arguments");
  for (uint32_t i = 0; i < count; ++i) arrays_[i].buffer = nullptr;
  for (uint32_t i = 0; i < num_arguments_; ++i)
    HY_RETURN_IF_ERROR(Describe(*program, part, i, part_->program().parameter(i)));
  for (uint32_t i = 0; i < num_results_; ++i)
    HY_RETURN_IF_ERROR(Describe(*program, part, num_arguments_ + i, part_->program().result(i)));
  return Status();
}

Status SizedRun::Pad(SizedArray* array, const void* data) {
  HY_RETURN_IF_ERROR(context()->NewBuffer(static_cast<uint64_t>(array->record->bytes), HostSpace(),
                                          &array->buffer));
  HY_RETURN_IF_ERROR(array->buffer->WaitUntilIdle());
  CopyInto(array->extents(), data, padded_dims(*array), array->buffer->host());
  return Status();
}

Status SizedRun::Run(const RunOptions& options) {
  for (uint32_t i = 0; i < num_sizes_; ++i) {
    size_values_[i][0] = static_cast<int32_t>(sizes_[i]);
    HY_RETURN_IF_ERROR(context()->is_x86()
                           ? context()->WrapHost(size_values_[i], sizeof(int32_t), nullptr, nullptr,
                                                 &size_buffers_[i])
                           : context()->CopyFromHost(size_values_[i], sizeof(int32_t),
                                                     part_->parameter_space(num_arguments_ + i),
                                                     &size_buffers_[i]));
  }
  constexpr uint32_t kFewBuffers = kFew + catalogue_format::kMaxVariables;
  Buffer* few[kFewBuffers];
  const uint32_t inputs = num_arguments_ + num_sizes_, count = inputs + num_results_;
  Buffer** buffers = count <= kFewBuffers
                         ? few
                         : static_cast<Buffer**>(HeapAllocateZeroed(count, sizeof(Buffer*)));
  if (buffers == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for a run's arguments");
  for (uint32_t i = 0; i < num_arguments_; ++i) buffers[i] = argument(i).buffer;
  for (uint32_t i = 0; i < num_sizes_; ++i) buffers[num_arguments_ + i] = size_buffers_[i];
  for (uint32_t i = 0; i < num_results_; ++i) buffers[inputs + i] = result(i).buffer;
  Status status = part_->Run(options, buffers, inputs, buffers + inputs, num_results_);
  for (uint32_t i = 0; i < num_results_ && status.ok(); ++i) result(i).buffer = buffers[inputs + i];
  if (buffers != few) HeapFree(buffers);
  return status;
}

// CheckMemory with the sizes of the run.
Status CheckRunMemory(const SizedRun& run, const void* const* arguments, void* const* results) {
  RunArrays arrays{&run, run.num_arguments(), run.num_results(), nullptr, nullptr};
  arrays.bytes = [](const void* of, uint32_t index) {
    return static_cast<const SizedRun*>(of)->array(index).bytes;
  };
  arrays.name = [](const void* of, uint32_t index) {
    const SizedRun& run = *static_cast<const SizedRun*>(of);
    return run.name(run.array(index));
  };
  return CheckMemory(arrays, arguments, results);
}

// Copies what a run has made to the application, cut to the sizes of the run.
Status CopyResult(SizedRun& run, const SizedArray& array, void* to) {
  const int64_t* padded = run.padded_dims(array);
  if (array.whole || IsFirstPart(array.extents(), padded))
    return array.buffer->CopyToHost(to, 0, array.bytes);
  if (run.context()->is_x86()) {
    HY_RETURN_IF_ERROR(array.buffer->Wait());
    CopyOutOf(padded, array.buffer->host(), array.extents(), to);
    return Status();
  }
  Buffer* copy = nullptr;
  HY_RETURN_IF_ERROR(run.context()->NewBuffer(array.buffer->bytes(), Space::kHost, &copy));
  Status status = copy->WaitUntilIdle();
  if (status.ok()) status = array.buffer->CopyToHost(copy->host(), 0, array.buffer->bytes());
  if (status.ok()) CopyOutOf(padded, copy->host(), array.extents(), to);
  copy->Release();
  return status;
}

}  // namespace

Status RunSizedOnHostMemory(Executable* program, const RunOptions& options, const int64_t* sizes,
                            const void* const* arguments, void* const* results) {
  SizedRun run;
  HY_RETURN_IF_ERROR(run.Prepare(program, sizes));
  HY_RETURN_IF_ERROR(CheckRunMemory(run, arguments, results));
  Context* context = run.context();
  for (uint32_t i = 0; i < run.num_arguments(); ++i) {
    SizedArray& array = run.argument(i);
    HY_RETURN_IF_ERROR(CheckElements(run.part()->program(), i, arguments[i], array.bytes));
    if (!array.whole) {
      HY_RETURN_IF_ERROR(run.Pad(&array, arguments[i]));
      continue;
    }
    const bool in_place = context->is_x86() && AtHostAlignment(arguments[i]);
    HY_RETURN_IF_ERROR(in_place
                           ? context->WrapHost(const_cast<void*>(arguments[i]), array.bytes,
                                               nullptr, nullptr, &array.buffer)
                           : context->CopyFromHost(arguments[i], array.bytes,
                                                   run.part()->parameter_space(i), &array.buffer));
  }
  for (uint32_t i = 0; i < run.num_results(); ++i) {
    SizedArray& array = run.result(i);
    if (array.whole && context->is_x86() && AtHostAlignment(results[i]))
      HY_RETURN_IF_ERROR(
          context->WrapHost(results[i], array.bytes, nullptr, nullptr, &array.buffer));
  }
  HY_RETURN_IF_ERROR(run.Run(options));
  for (uint32_t i = 0; i < run.num_results(); ++i) {
    SizedArray& array = run.result(i);
    if (array.bytes == 0 || (context->is_x86() && array.buffer->host() == results[i])) continue;
    HY_RETURN_IF_ERROR(CopyResult(run, array, results[i]));
  }
  return Status();
}

namespace {

Status CheckBuffers(SizedRun& run, Buffer* const* arguments, Buffer* const* results) {
  for (uint32_t i = 0; i < run.num_arguments() + run.num_results(); ++i) {
    const bool result = i >= run.num_arguments();
    const uint32_t number = result ? i - run.num_arguments() : i;
    const SizedArray& array = result ? run.result(number) : run.argument(number);
    const Buffer* buffer = result ? results[number] : arguments[number];
    if (result && buffer == nullptr) continue;
    const char* what = result ? "result" : "argument";
    if (buffer == nullptr)
      return MakeStatus(Code::kInvalidArgument, "%s %u (%s) is NULL", what, number,
                        run.name(array));
    if (buffer->bytes() != array.bytes || buffer->context() != run.context() ||
        buffer->is_donated()) {
      return MakeStatus(Code::kInvalidArgument,
                        "%s %u (%s) is no buffer of %llu bytes of this device", what, number,
                        run.name(array), static_cast<unsigned long long>(array.bytes));
    }
    if (result && buffer->is_read_only())
      return MakeStatus(Code::kInvalidArgument, "result %u (%s) is read-only memory", number,
                        run.name(array));
    for (uint32_t j = 0; result && j < run.num_arguments(); ++j) {
      if (arguments[j] == buffer)
        return MakeStatus(Code::kInvalidArgument, "result %u (%s) is an argument, too", number,
                          run.name(array));
    }
    for (uint32_t j = 0; result && j < number; ++j) {
      if (results[j] == buffer)
        return MakeStatus(Code::kInvalidArgument, "results %u and %u are one buffer", j, number);
    }
  }
  return Status();
}

// Makes the buffer of an argument, by way of the CPU's memory.
Status PadBuffer(SizedRun& run, SizedArray* array, const Buffer& buffer) {
  void* data = HeapAllocate(array->bytes == 0 ? 1 : array->bytes);
  if (data == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for an argument");
  Status status = buffer.CopyToHost(data, 0, array->bytes);
  if (status.ok()) status = run.Pad(array, data);
  HeapFree(data);
  return status;
}

// Gives the application a result of the sizes of the run, by way of the CPU's memory.
Status CutBuffer(SizedRun& run, uint32_t index, Buffer** result) {
  const SizedArray& array = run.result(index);
  void* data = HeapAllocate(array.bytes == 0 ? 1 : array.bytes);
  if (data == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a result");
  Status status = array.bytes == 0 ? array.buffer->Wait() : CopyResult(run, array, data);
  if (status.ok()) {
    status = *result != nullptr
                 ? (*result)->CopyFromHost(data, 0, array.bytes)
                 : run.context()->CopyFromHost(data, array.bytes, Space::kDevice, result);
  }
  HeapFree(data);
  return status;
}

}  // namespace

Status RunSizedOnBuffers(Executable* program, const RunOptions& options, const int64_t* sizes,
                         Buffer* const* arguments, Buffer** results) {
  SizedRun run;
  HY_RETURN_IF_ERROR(run.Prepare(program, sizes));
  HY_RETURN_IF_ERROR(CheckBuffers(run, arguments, results));
  for (uint32_t i = 0; i < run.num_arguments(); ++i) {
    SizedArray& array = run.argument(i);
    if (array.whole) {
      arguments[i]->AddRef();
      array.buffer = arguments[i];
    } else {
      HY_RETURN_IF_ERROR(PadBuffer(run, &array, *arguments[i]));
    }
  }
  for (uint32_t i = 0; i < run.num_results(); ++i) {
    if (!run.result(i).whole || results[i] == nullptr) continue;
    results[i]->AddRef();
    run.result(i).buffer = results[i];
  }
  HY_RETURN_IF_ERROR(run.Run(options));
  // No result is handed out unless all are there.
  Status status;
  uint32_t made = 0;
  Buffer* few[64] = {};
  Buffer** given =
      run.num_results() <= 64
          ? few
          : static_cast<Buffer**>(HeapAllocateZeroed(run.num_results(), sizeof(Buffer*)));
  if (given == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for results");
  for (; made < run.num_results() && status.ok(); ++made) {
    given[made] = results[made];
    if (!run.result(made).whole) {
      status = CutBuffer(run, made, &given[made]);
    } else if (given[made] == nullptr) {
      given[made] = run.result(made).buffer;
      given[made]->AddRef();
    }
  }
  for (uint32_t i = 0; i < made; ++i) {
    if (status.ok()) {
      results[i] = given[i];
    } else if (results[i] == nullptr && given[i] != nullptr) {
      given[i]->Release();
    }
  }
  if (given != few) HeapFree(given);
  return status;
}

}  // namespace halyard::runtime
