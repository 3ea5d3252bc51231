// Who keeps a program of the C API, and all that it shares with other entries, alive.
#ifndef HALYARD_RUNTIME_C_API_PROGRAM_HOLD_H_
#define HALYARD_RUNTIME_C_API_PROGRAM_HOLD_H_

#include "runtime/execute/executor.h"

namespace halyard::runtime {

// Frees a program that a function of the C API has made, when the last hold on it has ended. Waits
// for the runs of other threads, unless this thread is in a run itself. A program that is only an
// entry of another is left alone.
void FreeProgram(Executable* program);

// For runs that FreeProgram does not wait for.
void KeepProgram(Executable* program);
void DropProgram(Executable* program);

// Keeps a program, and so its device, while a run of this thread lasts.
class RunHold {
 public:
  explicit RunHold(Executable* program);
  ~RunHold();
  RunHold(const RunHold&) = delete;
  RunHold& operator=(const RunHold&) = delete;

 private:
  Executable* const program_;
  ProgramGroup* const group_;
};

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_PROGRAM_HOLD_H_
