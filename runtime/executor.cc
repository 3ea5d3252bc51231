#include "runtime/executor.h"

#include <stdlib.h>

#include "runtime/instance.h"

namespace halyard::runtime {
namespace {

// Runs in flight on a GPU at once, beyond those of other threads, before the host waits for the
// oldest.
constexpr uint32_t kMaxInFlight = 8;

}  // namespace

void Executable::Release() {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) DestroyAll();
}

void Executable::DestroyAll() {
  while (idle_ != nullptr) {
    Instance* next = idle_->next;
    idle_->Destroy();
    idle_ = next;
  }
  for (uint32_t i = 0; kernels_ != nullptr && i < program_->num_kernels(); ++i) {
    if (kernels_[i].kernel == nullptr) continue;
    const bool on_host = program_->kernel(i).space == kHostSpace;
    (on_host ? context_->host_device() : context_->device())->FreeKernel(kernels_[i].kernel);
  }
  for (uint32_t i = 0;
       constants_ != nullptr && !context_->is_x86() && i < program_->num_allocations(); ++i) {
    if (constants_[i].bytes != 0) context_->device()->Free(&constants_[i]);
  }
  free(kernels_);
  free(constants_);
  free(nodes_);
  free(sequences_);
  free(segment_steps_);
  free(slice_refs_);
  free(result_allocations_);
  free(parameter_allocations_);
  program_->Destroy();
  context_->Release();
  pthread_mutex_destroy(&mutex_);
  this->~Executable();
  free(this);
}

Space Executable::parameter_space(uint32_t i) const {
  const int64_t allocation = parameter_allocations_[i];
  if (context_->is_x86() || allocation < 0) return Space::kDevice;
  return static_cast<Space>(program_->allocation(static_cast<uint32_t>(allocation)).space);
}

Space Executable::result_space(uint32_t i) const {
  if (context_->is_x86()) return Space::kDevice;
  return static_cast<Space>(program_->allocation(result_allocations_[i]).space);
}

Status Executable::AcquireInstance(uint32_t stream, Instance** instance) {
  pthread_mutex_lock(&mutex_);
  Instance** best = nullptr;
  for (Instance** at = &idle_; *at != nullptr; at = &(*at)->next) {
    best = at;  // the last one is the one returned first
    if (context_->device()->IsDone((*at)->last_event())) break;
  }
  // One that is still busy is only taken when there are many of them.
  const bool busy = best != nullptr && !context_->device()->IsDone((*best)->last_event());
  if (busy && num_instances_.load(std::memory_order_relaxed) < kMaxInFlight) best = nullptr;
  Instance* taken = nullptr;
  if (best != nullptr) {
    taken = *best;
    *best = taken->next;
    taken->next = nullptr;
  }
  pthread_mutex_unlock(&mutex_);
  if (taken == nullptr) {
    HY_RETURN_IF_ERROR(Instance::Create(this, &taken));
    num_instances_.fetch_add(1, std::memory_order_relaxed);
  } else if (taken->last_event().id != 0) {
    Status status = context_->device()->Wait(taken->last_event());
    if (!status.ok()) {
      ReturnInstance(taken);
      return status;
    }
  }
  *instance = taken;
  return Status();
}

void Executable::ReturnInstance(Instance* instance) {
  pthread_mutex_lock(&mutex_);
  instance->next = idle_;
  idle_ = instance;
  pthread_mutex_unlock(&mutex_);
}

Status Executable::CheckInputs(const RunOptions& options, Buffer* const* inputs,
                               uint32_t num_inputs) const {
  if (num_inputs != program_->num_parameters()) {
    return MakeStatus(Code::kInvalidArgument, "%s takes %u arguments, not %u",
                      program_->name().data, program_->num_parameters(), num_inputs);
  }
  for (uint32_t i = 0; i < num_inputs; ++i) {
    const program_format::ValueRecord& value = program_->parameter(i);
    const char* name = program_->String(value.name).data;
    const Buffer* buffer = inputs[i];
    if (buffer == nullptr || buffer->is_donated() || buffer->context() != context_) {
      return MakeStatus(Code::kInvalidArgument, "argument %u (%s) is %s", i, name,
                        buffer == nullptr      ? "missing"
                        : buffer->is_donated() ? "a donated buffer"
                                               : "a buffer of another device");
    }
    if (buffer->bytes() != static_cast<uint64_t>(value.bytes)) {
      return MakeStatus(Code::kInvalidArgument, "argument %u (%s) has %llu bytes, not %lld", i,
                        name, static_cast<unsigned long long>(buffer->bytes()),
                        static_cast<long long>(value.bytes));
    }
    if (buffer->stream() != options.stream) HY_RETURN_IF_ERROR(buffer->Wait());
  }
  return Status();
}

// Scalars, mostly, that a program wants on the host, or results of such that it wants on the
// device.
Status Executable::Stage(uint32_t parameter, const RunOptions& options, Buffer* input,
                         Instance* instance) const {
  Device* device = context_->device();
  Buffer* staged = nullptr;
  HY_RETURN_IF_ERROR(context_->NewBuffer(input->bytes(), parameter_space(parameter), &staged));
  instance->KeepStaged(parameter, staged);
  instance->BindParameter(parameter, staged);
  if (input->bytes() == 0) return Status();
  Event done;
  if (staged->space() == Space::kHost) {
    HY_RETURN_IF_ERROR(
        device->Download(input->block(), 0, input->bytes(), staged->host(), options.stream, &done));
  } else {
    HY_RETURN_IF_ERROR(input->Wait());
    HY_RETURN_IF_ERROR(
        device->Upload(input->host(), staged->block(), 0, input->bytes(), options.stream, &done));
  }
  return device->Wait(done);
}

// Parameters are bound as well: donating takes a buffer's memory away.
Status Executable::MakeOutputs(const RunOptions& options, Buffer* const* inputs, Buffer** outputs,
                               Instance* instance) const {
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    const program_format::ValueRecord& value = program_->result(i);
    if (outputs[i] == nullptr) continue;
    const Buffer* buffer = outputs[i];
    if (buffer->is_donated() || buffer->context() != context_ ||
        buffer->bytes() != static_cast<uint64_t>(value.bytes) ||
        (!context_->is_x86() && buffer->space() != result_space(i))) {
      return MakeStatus(Code::kInvalidArgument,
                        "the buffer for result %u (%s) does not fit its %lld bytes", i,
                        program_->String(value.name).data, static_cast<long long>(value.bytes));
    }
    if (buffer->stream() != options.stream) HY_RETURN_IF_ERROR(buffer->Wait());
  }
  for (uint32_t i = 0; options.donate != nullptr && i < program_->num_parameters(); ++i) {
    const int64_t result = program_->parameter(i).donated_to_result;
    if (!options.donate[i] || result < 0 || outputs[result] != nullptr ||
        inputs[i]->space() != result_space(static_cast<uint32_t>(result)) ||
        inputs[i]->space() != parameter_space(i)) {
      continue;
    }
    bool only_use = true;  // another parameter may be the same buffer
    for (uint32_t k = 0; k < program_->num_parameters(); ++k)
      only_use &= k == i || inputs[k] != inputs[i];
    if (!only_use) continue;
    HY_RETURN_IF_ERROR(inputs[i]->Donate(&outputs[result]));
    instance->BindParameter(i, outputs[result]);
    instance->SetMade(static_cast<uint32_t>(result));
  }
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    if (outputs[i] != nullptr) continue;
    Status status = context_->NewBuffer(static_cast<uint64_t>(program_->result(i).bytes),
                                        result_space(i), &outputs[i]);
    if (!status.ok()) {
      outputs[i] = nullptr;
      return MakeStatus(status.code(), "result %u (%s): %s", i,
                        program_->String(program_->result(i).name).data, status.message());
    }
    instance->SetMade(i);
  }
  return Status();
}

Status Executable::Run(const RunOptions& options, Buffer* const* inputs, uint32_t num_inputs,
                       Buffer** outputs, uint32_t num_outputs) {
  if (num_outputs != program_->num_results()) {
    return MakeStatus(Code::kInvalidArgument, "%s gives %u results, not %u", program_->name().data,
                      program_->num_results(), num_outputs);
  }
  HY_RETURN_IF_ERROR(CheckInputs(options, inputs, num_inputs));
  Instance* instance = nullptr;
  HY_RETURN_IF_ERROR(AcquireInstance(options.stream, &instance));
  instance->ClearMade();
  Status status;
  for (uint32_t i = 0; i < num_inputs && status.ok(); ++i) {
    if (context_->is_x86() || inputs[i]->space() == parameter_space(i)) {
      instance->BindParameter(i, inputs[i]);
    } else {
      status = Stage(i, options, inputs[i], instance);
    }
  }
  if (status.ok()) status = MakeOutputs(options, inputs, outputs, instance);
  if (status.ok()) status = instance->Run(options, outputs);
  const Event done = instance->last_event();
  for (uint32_t i = 0; i < num_inputs && status.ok(); ++i) {
    if (!inputs[i]->is_donated()) status = inputs[i]->AddUse(done, options.stream);
  }
  for (uint32_t i = 0; i < num_outputs && status.ok(); ++i)
    status = outputs[i]->AddUse(done, options.stream);
  for (uint32_t i = 0; i < num_outputs && !status.ok(); ++i) {
    if (!instance->IsMade(i)) continue;
    outputs[i]->Release();
    outputs[i] = nullptr;
  }
  instance->EndRun();
  ReturnInstance(instance);
  return status;
}

}  // namespace halyard::runtime
