// Program::WithWeights. Maps program and constants one after the other, as if they were one file,
// so that nothing else needs to know.
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/byte_reader.h"
#include "runtime/program/program.h"
#include "runtime/program/weights_file.h"

namespace halyard::runtime {
namespace {

using namespace program_format;  // NOLINT: this file reads that format

// Reads the size and identity that the constants must have. Only the part of `head` that this needs
// is checked here.
Status ReadIdentity(ByteSpan head, uint64_t* bytes, uint64_t* identity) {
  Header header;
  if (head.size < sizeof(header)) return MakeStatus(Code::kDataLoss, "program: no header");
  if (reinterpret_cast<uintptr_t>(head.data) % kConstantAlignment != 0)
    return MakeStatus(Code::kInvalidArgument, "program: not at a multiple of 256 bytes");
  memcpy(&header, head.data, sizeof(header));
  const Table& table = header.constants;
  if (header.constants_begin != head.size || head.size % kConstantAlignment != 0 ||
      header.total_bytes < head.size || header.total_bytes > kLargestWeights ||
      table.offset % 8 != 0 || table.count > head.size / sizeof(ConstantRecord) ||
      !InRange(table.offset, table.count * sizeof(ConstantRecord), head.size)) {
    return MakeStatus(Code::kDataLoss, "program: it does not end where its constants would begin");
  }
  *bytes = header.total_bytes - head.size;
  *identity = WeightsIdentity(reinterpret_cast<const ConstantRecord*>(head.data + table.offset),
                              table.count);
  return Status();
}

Status CheckFile(int file, const char* path, uint64_t bytes, uint64_t identity) {
  struct stat info;
  WeightsHeader header;
  memset(&header, 0, sizeof(header));
  if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode) ||
      pread(file, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header)) ||
      header.magic != kWeightsMagic) {
    return MakeStatus(Code::kDataLoss, "%s: not a weights file", path);
  }
  if (header.version != kVersion) {
    return MakeStatus(Code::kFailedPrecondition,
                      "%s: Halyard %u.%u.%u made it in format %u; this is "
                      "Halyard " HALYARD_VERSION_TEXT ", which reads format %u",
                      path, header.maker / 10000, header.maker / 100 % 100, header.maker % 100,
                      header.version, kVersion);
  }
  if (header.identity != identity || header.bytes != bytes)
    return MakeStatus(Code::kFailedPrecondition, "%s: the weights of another program", path);
  const uint64_t size = static_cast<uint64_t>(info.st_size);
  if (size == kWeightsBegin + bytes) return Status();
  return MakeStatus(Code::kDataLoss, "%s: damaged: it has %llu bytes of %llu", path,
                    static_cast<unsigned long long>(size),
                    static_cast<unsigned long long>(kWeightsBegin + bytes));
}

}  // namespace

Status MapWeights(const char* path, uint64_t bytes, uint64_t identity, void** mapping,
                  size_t* size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return MakeStatus(Code::kNotFound, "%s: %s", path, strerror(errno));
  Status status = CheckFile(file, path, bytes, identity);
  if (status.ok()) {
    void* mapped = mmap(nullptr, kWeightsBegin + bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED) {
      status = MakeStatus(Code::kResourceExhausted, "%s: %s", path, strerror(errno));
    } else {
      *mapping = mapped;
      *size = kWeightsBegin + bytes;
    }
  }
  close(file);
  return status;
}

Status Program::WithWeights(ByteSpan head, const char* weights, Program** program) {
  uint64_t bytes = 0, identity = 0;
  HY_RETURN_IF_ERROR(ReadIdentity(head, &bytes, &identity));
  const int file = open(weights, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // opening a pipe would wait
  if (file < 0) return MakeStatus(Code::kNotFound, "%s: %s", weights, strerror(errno));
  Status status = CheckFile(file, weights, bytes, identity);
  const size_t before = (head.size + kWeightsBegin - 1) / kWeightsBegin * kWeightsBegin,
               size = before + bytes;
  void* region = MAP_FAILED;
  if (status.ok()) {
    region = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uint8_t* begin = static_cast<uint8_t*>(region);
    if (region == MAP_FAILED || mprotect(region, before, PROT_READ | PROT_WRITE) != 0 ||
        (bytes != 0 && mmap(begin + before, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file,
                            kWeightsBegin) == MAP_FAILED)) {
      status = MakeStatus(Code::kResourceExhausted, "%s: %s", weights, strerror(errno));
    }
  }
  close(file);
  if (!status.ok()) {
    if (region != MAP_FAILED) munmap(region, size);
    return status;
  }
  uint8_t* copy = static_cast<uint8_t*>(region) + (before - head.size);
  memcpy(copy, head.data, head.size);
  mprotect(region, before, PROT_READ);
  return Make({copy, head.size + bytes}, region, size, Check::kAllButConstants, program);
}

}  // namespace halyard::runtime
