// The backends on which the conformance suite runs, and what tests need of each besides its Device.
// To add one, write a class and a line in `Subjects` (subject.cc).
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
  // Describes the device without opening it.
  virtual runtime::Status Describe(runtime::DeviceInfo* info) = 0;
  // Call this after the device has been destroyed. Returns the errors that a layer or a fake driver
  // found.
  virtual std::vector<std::string> Complaints() { return {}; }
  // Makes the next allocation that asks the driver for memory fail. Returns false if there is no
  // hook for that.
  virtual bool FailNextAllocation() { return false; }
  // Makes later allocations succeed again.
  virtual void Mend() {}
  // Makes the next submission find the device lost. Returns false if the device cannot be lost.
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
