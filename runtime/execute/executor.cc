#include "runtime/execute/executor.h"

#include <string.h>

#include "runtime/collectives/grid.h"
#include "runtime/execute/instance.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

// The number of runs that may be in flight on a GPU, beyond those of other threads, before the host
// waits for the oldest.
constexpr uint32_t kMaxInFlight = 8;

// On x86, a run that is estimated to take longer than this is worth the two wake-ups of a queued
// run.
constexpr uint64_t kQueuedNs = 200000;

// Calls `visit` for the buffers that others know.
template <typename Visit>
void ForEachUse(const Program& program, const RunOptions& options, const RunRecord& record,
                Visit visit) {
  for (uint32_t i = 0; i < program.num_parameters() && !options.private_buffers; ++i)
    visit(record.arguments[i], Use::kReads);
  for (uint32_t i = 0; i < program.num_results() && !options.private_buffers; ++i)
    visit(record.results[i], Use::kWrites);
  if (options.temporaries != nullptr) visit(options.temporaries, Use::kWrites);
}

}  // namespace

void Executable::Release() {
  if (references_.Release()) DestroyAll();
}

void Executable::EndRun() {
  if (!references_.End(Use::kReads)) return;
  const Host host = context_->host();  // the last reference to the Context may be this one's
  const HostScope scope(&host);
  DestroyAll();
}

void Executable::DestroyAll() {
  // In a child of a fork, there is no thread that would end runs.
  if (!context_->queue().HasForked()) {
    pthread_mutex_lock(&mutex_);
    while (num_queued_ != 0) pthread_cond_wait(&none_queued_, &mutex_);
    pthread_mutex_unlock(&mutex_);
  }
  HeapFree(spare_record_.load(std::memory_order_acquire));
  while (records_ != nullptr) {
    RunRecord* next = static_cast<RunRecord*>(records_->next);
    HeapFree(records_);
    records_ = next;
  }
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
  for (uint32_t i = 0; constants_ != nullptr && !context_->is_x86() && !shares_constants_ &&
                       i < program_->num_allocations();
       ++i) {
    if (constants_[i].bytes != 0) context_->device()->Free(&constants_[i]);
  }
  HeapFree(kernels_);
  HeapFree(constants_);
  HeapFree(nodes_);
  HeapFree(sequences_);
  HeapFree(segment_steps_);
  HeapFree(slice_refs_);
  HeapFree(call_values_);
  HeapFree(result_allocations_);
  HeapFree(parameter_allocations_);
  HeapFree(choice_);
  program_->Destroy();
  context_->Release();
  pthread_mutex_destroy(&mutex_);
  pthread_cond_destroy(&none_queued_);
  this->~Executable();
  HeapFree(this);
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

Status Executable::AcquireInstance(Instance** instance) {
  pthread_mutex_lock(&mutex_);
  Instance** best = nullptr;
  for (Instance** at = &idle_; *at != nullptr; at = &(*at)->next) {
    best = at;  // the last one is the one returned first
    if (context_->device()->IsDone((*at)->last_event())) break;
  }
  // An instance that is still busy is used only if there are many of them.
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

// One piece of memory holds all arrays.
Status Executable::NewRecord(RunRecord** record) {
  RunRecord* made = spare_record_.exchange(nullptr, std::memory_order_acquire);
  if (made == nullptr) {
    pthread_mutex_lock(&mutex_);
    made = records_;
    if (made != nullptr) records_ = static_cast<RunRecord*>(made->next);
    pthread_mutex_unlock(&mutex_);
  }
  const uint64_t num_arguments = program_->num_parameters(), num_results = program_->num_results();
  if (made == nullptr) {
    const uint64_t each = sizeof(Buffer*) + sizeof(Block) + sizeof(bool);
    made = static_cast<RunRecord*>(
        HeapAllocateZeroed(1, sizeof(RunRecord) + (num_arguments + num_results) * each));
    if (made == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a run");
    made->executable = this;
    made->queue = &context_->queue();
    made->mark = [](QueuedWork* work) {
      RunRecord* self = static_cast<RunRecord*>(work);
      self->executable->MarkQueued(self);
    };
    made->run = [](QueuedWork* work) {
      RunRecord* self = static_cast<RunRecord*>(work);
      return self->executable->RunQueued(self);
    };
    made->end = [](QueuedWork* work) {
      RunRecord* self = static_cast<RunRecord*>(work);
      self->executable->EndQueued(self);
    };
    made->argument_blocks = reinterpret_cast<Block*>(made + 1);
    made->result_blocks = made->argument_blocks + num_arguments;
    made->arguments = reinterpret_cast<Buffer**>(made->result_blocks + num_results);
    made->results = made->arguments + num_arguments;
    made->donated = reinterpret_cast<bool*>(made->results + num_results);
    made->made = made->donated + num_arguments;
  }
  memset(made->donated, 0, num_arguments);
  memset(made->made, 0, num_results);
  made->num_dependencies = 0;
  made->needs_queued = false;
  made->grid = nullptr;
  *record = made;
  return Status();
}

void Executable::FreeRecord(RunRecord* record) {
  RunRecord* none = nullptr;
  if (spare_record_.compare_exchange_strong(none, record, std::memory_order_release)) return;
  pthread_mutex_lock(&mutex_);
  record->next = records_;
  records_ = record;
  pthread_mutex_unlock(&mutex_);
}

bool Executable::MayQueue(const RunOptions& options) const {
  return options.asynchronous && options.profile == nullptr && options.grid == nullptr &&
         options.cancel == nullptr && options.temporaries == nullptr && !RunQueue::InQueuedRun() &&
         !context_->queue().HasForked();
}

// Work of the run's own stream comes first anyway, whether it is submitted or, if the run is queued
// behind it, queued.
Status Executable::AddDependencies(const Buffer* buffer, bool writes, bool may_queue,
                                   RunRecord* record) const {
  buffer->AwaitRuns(writes ? Use::kWrites : Use::kReads);
  BufferUse ready;
  if (buffer->CopyUses(/*writes=*/false, &ready) == 0) return Status();
  if (!writes) return AddUses(buffer, &ready, 1, may_queue, record);
  BufferUse uses[Buffer::kMaxUses];
  return AddUses(buffer, uses, buffer->CopyUses(/*writes=*/true, uses), may_queue, record);
}

Status Executable::AddUses(const Buffer* buffer, const BufferUse* uses, uint32_t count,
                           bool may_queue, RunRecord* record) const {
  const bool on_host = !context_->is_x86() && buffer->space() == Space::kHost;
  for (uint32_t i = 0; i < count; ++i) {
    if (uses[i].event.id == 0 || context_->IsDone(uses[i].event)) continue;
    const bool queued = RunQueue::IsTicket(uses[i].event);
    const bool ordered = queued ? may_queue && RunQueue::IsOfStream(uses[i].event, record->stream)
                                : uses[i].stream == record->stream;
    record->needs_queued |= queued;
    if (ordered && !on_host) continue;
    if (record->num_dependencies < RunRecord::kMaxDependencies) {
      record->dependencies[record->num_dependencies++] = {uses[i].event, on_host};
    } else {
      (void)context_->WaitFor(uses[i].event).ok();  // its error is the buffer's, see Begin
    }
  }
  return Status();
}

// From here on, a donated argument's memory belongs to its result.
Status Executable::MakeOutputs(const RunOptions& options, bool may_queue, Buffer* const* inputs,
                               Buffer** outputs, RunRecord* record) const {
  for (uint32_t i = 0; options.donate != nullptr && i < program_->num_parameters(); ++i) {
    const int64_t result = program_->parameter(i).donated_to_result;
    if (!options.donate[i] || result < 0 || outputs[result] != nullptr || inputs[i]->is_wrapped() ||
        inputs[i]->has_other_owners() ||
        inputs[i]->space() != result_space(static_cast<uint32_t>(result)) ||
        inputs[i]->space() != parameter_space(i)) {
      continue;
    }
    bool only_use = true;  // another parameter may be the same buffer
    for (uint32_t k = 0; k < program_->num_parameters(); ++k)
      only_use &= k == i || inputs[k] != inputs[i];
    if (!only_use) continue;
    HY_RETURN_IF_ERROR(AddDependencies(inputs[i], /*writes=*/true, may_queue, record));
    HY_RETURN_IF_ERROR(inputs[i]->Donate(&outputs[result]));
    record->donated[i] = true;
    record->made[result] = true;
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
    record->made[i] = true;
  }
  return Status();
}

Status Executable::Fill(const RunOptions& options, bool may_queue, Buffer* const* inputs,
                        Buffer** outputs, RunRecord* record) {
  record->stream = options.stream;
  for (uint32_t i = 0; i < program_->num_parameters(); ++i) {
    record->arguments[i] = inputs[i];
    record->argument_blocks[i] = inputs[i]->block();
    HY_RETURN_IF_ERROR(AddDependencies(inputs[i], /*writes=*/false, may_queue, record));
  }
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    if (outputs[i] != nullptr)
      HY_RETURN_IF_ERROR(AddDependencies(outputs[i], /*writes=*/true, may_queue, record));
  }
  HY_RETURN_IF_ERROR(MakeOutputs(options, may_queue, inputs, outputs, record));
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    record->results[i] = outputs[i];
    record->result_blocks[i] = outputs[i]->block();
  }
  return Status();
}

// A run is queued if it takes long or uses the buffers of a queued run. On GPUs, it is also queued
// behind any queued run of its stream. On x86, a short run that depends on no other runs at once,
// so that slicing the next batch does not wait for the training step before it.
bool Executable::ShouldQueue(const RunOptions& options, const RunRecord& record) const {
  if (!MayQueue(options)) return false;
  if (record.needs_queued) return true;
  return context_->is_x86() ? estimated_ns_ >= kQueuedNs
                            : host_drives_ || context_->queue().IsBusy(options.stream);
}

// Waits until the run may be submitted.
Status Executable::Begin(RunRecord* record) const {
  for (uint32_t i = 0; i < record->num_dependencies; ++i) {
    const RunRecord::Dependency& dependency = record->dependencies[i];
    HY_RETURN_IF_ERROR(dependency.on_host ? context_->WaitFor(dependency.event)
                                          : context_->OrderAfter(dependency.event, record->stream));
  }
  for (uint32_t i = 0; i < program_->num_parameters(); ++i) {
    Status failed = record->arguments[i]->error();
    if (failed.ok()) continue;
    return MakeStatus(failed.code(), "argument %u (%s) is the result of a run that failed: %s", i,
                      program_->String(program_->parameter(i).name).data, failed.message());
  }
  return Status();
}

// These are mostly scalars that a program wants on the host, or results of host steps that it wants
// on the device.
Status Executable::Stage(uint32_t parameter, const RunRecord& record, Instance* instance) const {
  Device* device = context_->device();
  const Block& from = record.argument_blocks[parameter];
  const uint64_t bytes = record.arguments[parameter]->bytes();
  Buffer* staged = nullptr;
  HY_RETURN_IF_ERROR(context_->NewBuffer(bytes, parameter_space(parameter), &staged));
  instance->KeepStaged(parameter, staged);
  instance->BindParameter(parameter, &staged->block());
  if (bytes == 0) return Status();
  Event done;
  if (staged->space() == Space::kHost) {
    HY_RETURN_IF_ERROR(device->Download(from, 0, bytes, staged->host(), record.stream, &done));
    return device->Wait(done);  // host steps read it
  }
  HY_RETURN_IF_ERROR(device->Upload(from.host, staged->block(), 0, bytes, record.stream, &done));
  instance->SetSubmitted(done);
  return Status();
}

Status Executable::RunOnInstance(const RunOptions& options, RunRecord* record, Event* done) {
  *done = Event();
  HY_RETURN_IF_ERROR(Begin(record));
  Instance* instance = nullptr;
  HY_RETURN_IF_ERROR(AcquireInstance(&instance));
  Status status;
  for (uint32_t i = 0; i < program_->num_parameters() && status.ok(); ++i) {
    if (context_->is_x86() || record->argument_blocks[i].space == parameter_space(i)) {
      instance->BindParameter(i, &record->argument_blocks[i]);
    } else {
      status = Stage(i, *record, instance);
    }
  }
  if (status.ok()) status = instance->Run(options, record->result_blocks);
  *done = instance->last_event();
  // What was submitted must not outlive its buffers; the first error counts.
  if (!status.ok() && done->id != 0) (void)context_->device()->Wait(*done).ok();
  instance->EndRun(record->stream);
  ReturnInstance(instance);
  return status;
}

void Executable::MarkQueued(RunRecord* record) {
  const Event ticket = record->ticket;
  pthread_mutex_lock(&mutex_);
  ++num_queued_;
  pthread_mutex_unlock(&mutex_);
  for (uint32_t i = 0; i < program_->num_parameters(); ++i) {
    record->arguments[i]->AddRef();
    if (!record->donated[i]) record->arguments[i]->AddRead(ticket, record->stream);
  }
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    record->results[i]->AddRef();
    record->results[i]->SetReady(ticket, record->stream, name_);
  }
}

Event Executable::RunQueued(RunRecord* record) {
  RunOptions options;
  options.stream = record->stream;
  options.grid = record->grid;
  options.process = record->process;
  Event done;
  Status status = RunOnInstance(options, record, &done);
  if (record->grid != nullptr) {
    record->grid->End(record->process, status);
    // The error of the process that failed first says more than that another one failed.
    if (!status.ok()) status = record->grid->CopyError();
    record->grid_end.ended(record->grid_end.user, record->process, status);
  }
  if (!status.ok())
    status = MakeStatus(status.code(), "%s: %s", program_->name().data, status.message());
  for (uint32_t i = 0; i < program_->num_parameters(); ++i)
    record->arguments[i]->Resolve(record->ticket, done, record->stream);
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    if (!status.ok()) record->results[i]->Fail(status);
    record->results[i]->Resolve(record->ticket, done, record->stream);
  }
  return done;
}

void Executable::EndQueued(RunRecord* record) {
  for (uint32_t i = 0; i < program_->num_parameters(); ++i) record->arguments[i]->Release();
  for (uint32_t i = 0; i < program_->num_results(); ++i) record->results[i]->Release();
  FreeRecord(record);
  pthread_mutex_lock(&mutex_);
  if (--num_queued_ == 0) pthread_cond_broadcast(&none_queued_);
  pthread_mutex_unlock(&mutex_);
}

// Other threads may free the buffers of a run meanwhile, or wait for them.
void Executable::BeginUses(const RunOptions& options, const RunRecord& record) const {
  ForEachUse(*program_, options, record, [](Buffer* buffer, Use use) { buffer->BeginUse(use); });
}

void Executable::EndUses(const RunOptions& options, const RunRecord& record) const {
  ForEachUse(*program_, options, record, [](Buffer* buffer, Use use) { buffer->EndUse(use); });
}

Status Executable::RunNow(const RunOptions& options, RunRecord* record) {
  BeginUses(options, *record);
  Event done;
  Status status;
  {
    const InRun in_run;
    status = RunOnInstance(options, record, &done);
  }
  for (uint32_t i = 0; i < program_->num_parameters() && status.ok(); ++i) {
    if (!record->donated[i]) record->arguments[i]->AddRead(done, options.stream);
  }
  for (uint32_t i = 0; i < program_->num_results() && status.ok(); ++i)
    record->results[i]->SetReady(done, options.stream, name_);
  if (status.ok() && options.temporaries != nullptr)
    options.temporaries->AddRead(done, options.stream);
  EndUses(options, *record);
  return status;
}

Status Executable::Run(const RunOptions& options, Buffer* const* inputs, uint32_t num_inputs,
                       Buffer** outputs, uint32_t num_outputs) {
  HY_RETURN_IF_ERROR(CheckGrid(options));
  HY_RETURN_IF_ERROR(CheckOutputs(outputs, num_outputs));
  HY_RETURN_IF_ERROR(CheckInputs(inputs, num_inputs));
  HY_RETURN_IF_ERROR(CheckSharing(inputs, outputs));
  if (options.temporaries != nullptr) {
    HY_RETURN_IF_ERROR(CheckTemporaries(options.temporaries, inputs, outputs));
    HY_RETURN_IF_ERROR(options.temporaries->WaitUntilIdle());
  }
  RunRecord* record = nullptr;
  HY_RETURN_IF_ERROR(NewRecord(&record));
  Status status = Fill(options, MayQueue(options), inputs, outputs, record);
  if (status.ok() && ShouldQueue(options, *record)) {
    status = context_->queue().Push(record);
    if (status.ok()) return status;
  } else if (status.ok()) {
    status = RunNow(options, record);
  }
  if (!status.ok()) TakeBack(record, outputs);
  FreeRecord(record);
  return status;
}

void Executable::TakeBack(RunRecord* record, Buffer** outputs) {
  for (uint32_t i = 0; i < program_->num_results(); ++i) {
    if (!record->made[i]) continue;
    if (outputs[i] != nullptr) outputs[i]->Release();
    outputs[i] = nullptr;
  }
}

}  // namespace halyard::runtime
