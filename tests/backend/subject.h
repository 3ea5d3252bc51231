// The backends that the conformance suite runs on, and what a test needs of each beside its Device.
// One is added by a class and a line in `Subjects` (subject.cc).
#ifndef HALYARD_TESTS_BACKEND_SUBJECT_H_
#define HALYARD_TESTS_BACKEND_SUBJECT_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "runtime/backend.h"

namespace halyard::testing {

class Subject {
 public:
  virtual ~Subject() = default;
  virtual runtime::Status Open(runtime::Device** device) = 0;
  // After the device has been destroyed: what a layer or a fake driver found wrong.
  virtual std::vector<std::string> Complaints() { return {}; }
  // The next allocation that asks the driver for memory fails. False: there is no hook for that.
  virtual bool FailNextAllocation() { return false; }
  // And from now on they succeed again.
  virtual void Mend() {}
  // The next submission finds the device lost. False: the device cannot be.
  virtual bool LoseDevice() { return false; }
};

struct SubjectEntry {
  const char* name;
  std::unique_ptr<Subject> (*make)();
};
inline void PrintTo(const SubjectEntry& entry, std::ostream* out) { *out << entry.name; }
const std::vector<SubjectEntry>& Subjects();

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_BACKEND_SUBJECT_H_
