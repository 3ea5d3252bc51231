#include "runtime/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>

#include "runtime/host.h"
#include "runtime/program/program_verifier.h"

namespace halyard::runtime {
namespace {

constexpr uint64_t kAlignment = program_format::kConstantAlignment;

Status NoMemory(uint64_t bytes) {
  return MakeStatus(Code::kResourceExhausted, "no memory for a program of %llu bytes",
                    static_cast<unsigned long long>(bytes));
}

}  // namespace

// `bytes` have been verified.
Status Program::New(ByteSpan bytes, const DeviceInfo& device, Program** program) {
  void* memory = HeapAllocate(sizeof(Program));
  if (memory == nullptr) return NoMemory(bytes.size);
  Program* made = new (memory) Program();
  made->bytes_ = bytes;
  made->constants_ = bytes.data + made->header().constants_begin;
  made->device_ = device;
  for (uint64_t i = 0; i < made->num_steps(); ++i)
    made->communicates_ |= Communicates(static_cast<StepKind>(made->step(i).kind));
  *program = made;
  return Status();
}

Status Program::Make(ByteSpan bytes, void* owned, size_t mapped, Check check, Program** program) {
  DeviceInfo device;
  Program* made = nullptr;
  Status status = VerifyProgram(bytes, &device);
  if (status.ok()) status = New(bytes, device, &made);
  if (!status.ok()) {
    if (mapped != 0) {
      munmap(owned, mapped);
    } else {
      HeapFree(owned);
    }
    return status;
  }
  made->owned_ = owned;
  made->mapped_ = mapped;
  if (check == Check::kAll) status = VerifyConstants(*made);
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *program = made;
  return Status();
}

Status Program::Open(const char* path, Program** program, Check check) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe would wait
  if (file < 0) return MakeStatus(Code::kNotFound, "%s: %s", path, strerror(errno));
  struct stat info;
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size <= 0) {
    close(file);
    return MakeStatus(Code::kDataLoss, "%s: not a file with a program in it", path);
  }
  const size_t size = static_cast<size_t>(info.st_size);
  void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  const int error = errno;
  close(file);
  if (mapping == MAP_FAILED)
    return MakeStatus(Code::kResourceExhausted, "%s: %s", path, strerror(error));
  Status status = Make({static_cast<const uint8_t*>(mapping), size}, mapping, size, check, program);
  if (!status.ok()) return MakeStatus(status.code(), "%s: %s", path, status.message());
  return status;
}

Status Program::FromMemory(ByteSpan bytes, Program** program, Check check) {
  if (reinterpret_cast<uintptr_t>(bytes.data) % kAlignment != 0) return Copy(bytes, program, check);
  return Make(bytes, nullptr, 0, check, program);
}

Status Program::Copy(ByteSpan bytes, Program** program, Check check) {
  void* copy = HeapAllocateAligned(kAlignment, (bytes.size + kAlignment) / kAlignment * kAlignment);
  if (copy == nullptr) return NoMemory(bytes.size);
  if (bytes.size != 0) memcpy(copy, bytes.data, bytes.size);
  return Make({static_cast<const uint8_t*>(copy), bytes.size}, copy, 0, check, program);
}

Status Program::FromParts(ByteSpan head, ByteSpan constants, Program** program) {
  DeviceInfo device;
  HY_RETURN_IF_ERROR(VerifyProgramHead(head, constants.size, &device));
  HY_RETURN_IF_ERROR(New(head, device, program));
  (*program)->constants_ = constants.data;
  return Status();
}

void Program::OwnMapping(void* mapping, size_t size) {
  owned_ = mapping;
  mapped_ = size;
}

void Program::Destroy() {
  if (mapped_ != 0) {
    munmap(owned_, mapped_);
  } else {
    HeapFree(owned_);
  }
  this->~Program();
  HeapFree(this);
}

}  // namespace halyard::runtime
