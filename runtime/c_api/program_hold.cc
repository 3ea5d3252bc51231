#include "runtime/c_api/program_hold.h"

#include "runtime/c_api/sized/program_group.h"

namespace halyard::runtime {

void FreeProgram(Executable* program) {
  ProgramGroup* group = program->group();
  if (group != nullptr && group->entry(0) != program) return;
  // In a child of fork(), runs of the parent do not end.
  const bool waits = !program->context()->queue().HasForked();
  if (group != nullptr) {
    if (waits) group->AwaitRuns();
    group->Release();
  } else {
    if (waits) program->AwaitRuns();
    program->Release();
  }
}

void KeepProgram(Executable* program) {
  if (program->group() != nullptr) {
    program->group()->AddRef();
  } else {
    program->AddRef();
  }
}

void DropProgram(Executable* program) {
  if (program->group() != nullptr) {
    program->group()->Release();
  } else {
    program->Release();
  }
}

RunHold::RunHold(Executable* program) : program_(program), group_(program->group()) {
  if (group_ != nullptr) {
    group_->BeginRun();
  } else {
    program_->BeginRun();
  }
}

RunHold::~RunHold() {
  if (group_ != nullptr) {
    group_->EndRun();
  } else {
    program_->EndRun();
  }
}

}  // namespace halyard::runtime
