#include "runtime/program/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/byte_reader.h"
#include "runtime/hash.h"
#include "runtime/program/program_verifier.h"
#include "runtime/program/weights_file.h"
#include "runtime/program/wrong_version.h"

namespace halyard::runtime {
namespace {

using bundle_format::Header;
using bundle_format::kMaxParts;
using bundle_format::PartRecord;
using program_format::ConstantRecord;
using program_format::kConstantAlignment;

Status Bad(const char* what, uint64_t index) {
  return MakeStatus(Code::kDataLoss, "bundle: %s (%llu)", what,
                    static_cast<unsigned long long>(index));
}

Status CheckAlignment(ByteSpan bytes) {
  if (reinterpret_cast<uintptr_t>(bytes.data) % kConstantAlignment == 0) return Status();
  return MakeStatus(Code::kInvalidArgument, "bundle: not at a multiple of 256 bytes");
}

uint64_t Padded(uint64_t bytes) {
  return (bytes + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
}

// Checks all that describes the bundle itself. The parts' contents are not read.
Status CheckHeader(ByteSpan head, uint64_t constant_bytes) {
  if (head.size < sizeof(Header)) return Bad("shorter than its header", head.size);
  const Header& header = *reinterpret_cast<const Header*>(head.data);
  if (header.magic != bundle_format::kMagic) return Bad("wrong magic", 0);
  if (header.version != program_format::kVersion)
    return WrongVersion("bundle", "another version's", header.version, header.maker);
  if (header.constants_begin != head.size || header.total_bytes != head.size + constant_bytes)
    return Bad("its size is not what its header says", head.size + constant_bytes);
  const program_format::Table &parts = header.parts, &constants = header.constants;
  if (parts.count == 0 || parts.count > kMaxParts) return Bad("number of targets", parts.count);
  const uint64_t tables_end =
      sizeof(Header) + parts.count * sizeof(PartRecord) + constants.count * sizeof(ConstantRecord);
  if (parts.offset != sizeof(Header) || constants.count > head.size / sizeof(ConstantRecord) ||
      constants.offset != parts.offset + parts.count * sizeof(PartRecord) ||
      Padded(tables_end) > head.size) {
    return Bad("a table lies outside", constants.count);
  }
  if (header.checksum != Hash64(head.data + bundle_format::kChecksumEnd,
                                Padded(tables_end) - bundle_format::kChecksumEnd)) {
    return WrongVersion("bundle", "damaged, its checksum differs", header.version, header.maker);
  }
  uint64_t at = Padded(tables_end);
  for (uint64_t i = 0; i < parts.count; ++i) {
    const PartRecord& part = reinterpret_cast<const PartRecord*>(head.data + parts.offset)[i];
    if (part.offset != at || part.bytes % kConstantAlignment != 0 || part.bytes > head.size - at)
      return Bad("a target's place", i);
    at += part.bytes;
  }
  if (at != head.size) return Bad("bytes behind the targets", at);
  at = 0;
  for (uint64_t i = 0; i < constants.count; ++i) {
    const program_format::Range& range =
        reinterpret_cast<const ConstantRecord*>(head.data + constants.offset)[i].data;
    if (range.offset != head.size + at || range.bytes > constant_bytes - at ||
        Padded(range.bytes) > constant_bytes - at) {
      return Bad("constant's place", i);
    }
    at += Padded(range.bytes);
  }
  return at == constant_bytes ? Status() : Bad("bytes behind the constants", at);
}

// Callers give the same arrays to whichever part is chosen.
bool SameValues(const Program& a, const Program& b) {
  if (a.num_parameters() != b.num_parameters() || a.num_results() != b.num_results()) return false;
  for (uint32_t i = 0; i < a.num_parameters(); ++i) {
    if (a.parameter(i).bytes != b.parameter(i).bytes) return false;
  }
  for (uint32_t i = 0; i < a.num_results(); ++i) {
    if (a.result(i).bytes != b.result(i).bytes) return false;
  }
  return true;
}

}  // namespace

Bundle::~Bundle() {
  DestroyParts();
  if (mapped_ != 0) munmap(mapping_, mapped_);
}

void Bundle::DestroyParts() {
  for (uint32_t i = 0; i < size_; ++i) {
    if (Program* part = Take(i)) part->Destroy();
  }
}

Program* Bundle::Take(uint32_t i) {
  Program* part = parts_[i];
  parts_[i] = nullptr;
  return part;
}

void Bundle::GiveMapping(Program* part) {
  DestroyParts();
  if (mapped_ != 0) part->OwnMapping(mapping_, mapped_);
  mapped_ = 0;
}

Status Bundle::Open(const char* path) {
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
  mapping_ = mapping;
  mapped_ = size;
  Status status = ReadWhole({static_cast<const uint8_t*>(mapping), size});
  if (!status.ok()) return MakeStatus(status.code(), "%s: %s", path, status.message());
  return status;
}

Status Bundle::FromMemory(ByteSpan bytes) {
  HY_RETURN_IF_ERROR(CheckAlignment(bytes));
  return ReadWhole(bytes);
}

Status Bundle::WithWeights(ByteSpan head, const char* weights) {
  Header header;
  HY_RETURN_IF_ERROR(CheckAlignment(head));
  if (head.size < sizeof(header)) return Bad("shorter than its header", head.size);
  memcpy(&header, head.data, sizeof(header));
  if (header.magic == program_format::kMagic) {
    HY_RETURN_IF_ERROR(Program::WithWeights(head, weights, &parts_[0]));
    size_ = 1;
    return Status();
  }
  const program_format::Table& table = header.constants;
  if (header.total_bytes < head.size ||
      header.total_bytes - head.size > program_format::kLargestWeights)
    return Bad("constants' place", header.total_bytes);
  HY_RETURN_IF_ERROR(CheckHeader(head, header.total_bytes - head.size));
  const uint64_t identity = program_format::WeightsIdentity(
      reinterpret_cast<const ConstantRecord*>(head.data + table.offset), table.count);
  HY_RETURN_IF_ERROR(
      MapWeights(weights, header.total_bytes - head.size, identity, &mapping_, &mapped_));
  const uint8_t* constants = static_cast<const uint8_t*>(mapping_) + program_format::kWeightsBegin;
  return Read(head, {constants, static_cast<size_t>(header.total_bytes - head.size)});
}

Status Bundle::ReadWhole(ByteSpan bytes) {
  if (bytes.size >= sizeof(uint64_t) &&
      *reinterpret_cast<const uint64_t*>(bytes.data) == program_format::kMagic) {
    HY_RETURN_IF_ERROR(Program::FromMemory(bytes, &parts_[0], Check::kAllButConstants));
    size_ = 1;
    return Status();
  }
  if (bytes.size < sizeof(Header)) return Bad("shorter than its header", bytes.size);
  const uint64_t begin = reinterpret_cast<const Header*>(bytes.data)->constants_begin;
  if (begin > bytes.size) return Bad("constants' place", begin);
  return Read({bytes.data, static_cast<size_t>(begin)},
              {bytes.data + begin, static_cast<size_t>(bytes.size - begin)});
}

Status Bundle::Read(ByteSpan head, ByteSpan constants) {
  HY_RETURN_IF_ERROR(CheckHeader(head, constants.size));
  head_ = head;
  constants_ = constants;
  return ReadParts();
}

Status Bundle::ReadParts() {
  const PartRecord* parts = reinterpret_cast<const PartRecord*>(head_.data + header().parts.offset);
  for (uint32_t i = 0; i < header().parts.count; ++i) {
    const ByteSpan part{head_.data + parts[i].offset, static_cast<size_t>(parts[i].bytes)};
    Status status = Program::FromParts(part, constants_, &parts_[i]);
    if (!status.ok())
      return MakeStatus(status.code(), "bundle: target %u: %s", i, status.message());
    size_ = i + 1;
    if (!SameValues(*parts_[0], *parts_[i]))
      return Bad("a target has other arguments or results", i);
  }
  return Status();
}

Status Bundle::VerifyConstants() const {
  if (head_.size == 0) return runtime::VerifyConstants(*parts_[0]);
  const ConstantRecord* constants =
      reinterpret_cast<const ConstantRecord*>(head_.data + header().constants.offset);
  for (uint64_t i = 0; i < header().constants.count; ++i) {
    const program_format::Range& range = constants[i].data;
    if (constants[i].checksum !=
        Hash64(constants_.data + (range.offset - head_.size), Padded(range.bytes)))
      return Bad("checksum of a constant differs", i);
  }
  return Status();
}

}  // namespace halyard::runtime
