#include "runtime/c_api/sized/program_group.h"

#include <new>

#include "runtime/host.h"

namespace halyard::runtime {

Status ProgramGroup::Create(Context* context, Bundle* bundle, uint32_t target,
                            const ExecutableOptions& options, Executable** first) {
  void* memory = HeapAllocate(sizeof(ProgramGroup));
  if (memory == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a program");
  ProgramGroup* group = new (memory) ProgramGroup();
  context->AddRef();
  group->context_ = context;
  group->catalogue_ = *bundle->catalogue();
  Status status = group->MakeReady(bundle, target, options);
  if (!status.ok()) {
    group->Destroy();
    return status;
  }
  *first = group->entry(0);
  return Status();
}

Status ProgramGroup::MakeReady(Bundle* bundle, uint32_t target, ExecutableOptions options) {
  num_parts_ = catalogue_.parts_of_target();
  parts_ = static_cast<Executable**>(HeapAllocateZeroed(num_parts_, sizeof(Executable*)));
  if (parts_ == nullptr) return MakeStatus(Code::kResourceExhausted, "no memory for a program");
  options.constants = &constants_;
  for (uint64_t i = 0; i < num_parts_; ++i) {
    HY_RETURN_IF_ERROR(Executable::Create(context_, bundle->Take(target, static_cast<uint32_t>(i)),
                                          options, &parts_[i]));
  }
  for (uint32_t e = 0; e < catalogue_.num_entries(); ++e) {
    const uint32_t sizes = static_cast<uint32_t>(catalogue_.entry(e).num_variables);
    entry(e)->set_group(this, e, sizes);
  }
  return Status();
}

uint64_t ProgramGroup::FirstPart(uint32_t entry) const {
  uint64_t first = 0;
  for (uint32_t e = 0; e < entry; ++e) first += catalogue_.num_parts(catalogue_.entry(e));
  return first;
}

Executable* ProgramGroup::entry(uint32_t i) const {
  return parts_[FirstPart(i) + catalogue_.num_parts(catalogue_.entry(i)) - 1];
}

Executable* ProgramGroup::part(uint32_t entry, uint64_t part) const {
  return parts_[FirstPart(entry) + part];
}

uint64_t ProgramGroup::arena_bytes(uint32_t entry) const {
  uint64_t most = 0;
  for (uint64_t i = 0; i < catalogue_.num_parts(catalogue_.entry(entry)); ++i) {
    const uint64_t bytes = part(entry, i)->arena_bytes();
    if (bytes > most) most = bytes;
  }
  return most;
}

Status ProgramGroup::Dims(uint32_t entry, uint64_t part, uint64_t array, const int64_t* sizes,
                          int64_t* dims) const {
  const Catalogue::Entry& record = catalogue_.entry(entry);
  catalogue_.Dims(record, array, sizes, dims);
  const Program& program = this->part(entry, part)->program();
  const bool result = array >= record.num_arguments;
  const program_format::ValueRecord& value =
      result ? program.result(static_cast<uint32_t>(array - record.num_arguments))
             : program.parameter(static_cast<uint32_t>(array));
  for (uint32_t d = 0; d < value.rank; ++d) {
    if (dims[d] >= 0 && dims[d] <= program.dims(value)[d]) continue;
    return MakeStatus(Code::kDataLoss, "bundle: catalogue: sizes of %s",
                      program.String(value.name).data);
  }
  return Status();
}

void ProgramGroup::Release() {
  if (references_.Release()) Destroy();
}

void ProgramGroup::EndRun() {
  if (!references_.End(Use::kReads)) return;
  const Host host = context_->host();
  const HostScope scope(&host);
  Destroy();
}

void ProgramGroup::Destroy() {
  for (uint64_t i = 0; parts_ != nullptr && i < num_parts_; ++i) {
    if (parts_[i] != nullptr) parts_[i]->Release();
  }
  HeapFree(parts_);
  constants_.FreeAll(context_->device());
  context_->Release();
  this->~ProgramGroup();
  HeapFree(this);
}

}  // namespace halyard::runtime
