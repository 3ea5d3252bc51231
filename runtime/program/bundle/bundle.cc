#include "runtime/program/bundle/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/byte_reader.h"
#include "runtime/hash.h"
#include "runtime/host.h"
#include "runtime/program/call_types.h"
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

bool IsProgram(ByteSpan bytes) {
  return bytes.size >= sizeof(uint64_t) &&
         *reinterpret_cast<const uint64_t*>(bytes.data) == program_format::kMagic;
}

// Checks that the bytes begin as a bundle of this version does. Nothing else of the header means
// anything before that.
Status CheckKind(ByteSpan head) {
  uint64_t magic = 0;
  if (head.size >= sizeof(magic)) memcpy(&magic, head.data, sizeof(magic));
  if (magic != bundle_format::kMagic)
    return MakeStatus(Code::kDataLoss, "neither a program file nor a bundle of Halyard");
  if (head.size < sizeof(Header)) return Bad("shorter than its header", head.size);
  const Header& header = *reinterpret_cast<const Header*>(head.data);
  if (header.version != program_format::kVersion)
    return WrongVersion("bundle", "another version's", header.version, header.maker);
  return Status();
}

// Checks all that describes the bundle itself. The parts' contents are not read.
Status CheckHeader(ByteSpan head, uint64_t constant_bytes) {
  HY_RETURN_IF_ERROR(CheckKind(head));
  const Header& header = *reinterpret_cast<const Header*>(head.data);
  if (header.constants_begin != head.size || header.total_bytes != head.size + constant_bytes)
    return Bad("its size is not what its header says", head.size + constant_bytes);
  const program_format::Table &parts = header.parts, &constants = header.constants;
  const program_format::Range& catalogue = header.catalogue;
  if (parts.count == 0 || parts.count > kMaxParts) return Bad("number of parts", parts.count);
  if (constants.count > head.size / sizeof(ConstantRecord) || catalogue.bytes > head.size)
    return Bad("a table lies outside", constants.count);
  const uint64_t tables_end = sizeof(Header) + parts.count * sizeof(PartRecord) +
                              constants.count * sizeof(ConstantRecord) + catalogue.bytes;
  if (parts.offset != sizeof(Header) ||
      constants.offset != parts.offset + parts.count * sizeof(PartRecord) ||
      catalogue.offset != constants.offset + constants.count * sizeof(ConstantRecord) ||
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
      return Bad("a part's place", i);
    at += part.bytes;
  }
  if (at != head.size) return Bad("bytes behind the parts", at);
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

constexpr uint64_t kMostElements = uint64_t{1} << 58;

// How many bytes an element takes: what callers know from its type. No array of an unknown type
// has that many.
uint64_t ElementBytes(const Program& program, const program_format::ValueRecord& value) {
  const int64_t type =
      CallTypeNumber(program.String(value.element_type).data, value.element_type.bytes);
  return type < 0 ? 32 : kCallTypes[type].bytes;
}

// Checks that a part takes the arguments of its entry for its sizes, and the sizes themselves.
Status CheckPart(const Catalogue& catalogue, const Catalogue::Entry& entry, uint64_t part,
                 const Program& program) {
  int64_t sizes[catalogue_format::kMaxVariables], dims[catalogue_format::kMaxRank];
  catalogue.PartSizes(entry, part, sizes);
  if (program.num_parameters() != entry.num_arguments + entry.num_variables ||
      program.num_results() != entry.num_results)
    return Bad("a part's number of arguments or results", part);
  for (uint64_t i = 0; i < entry.num_arguments + entry.num_results; ++i) {
    const bool result = i >= entry.num_arguments;
    const program_format::ValueRecord& value =
        result ? program.result(static_cast<uint32_t>(i - entry.num_arguments))
               : program.parameter(static_cast<uint32_t>(i));
    bool same = value.rank == catalogue.rank(entry, i) && value.has_layout == 0;
    if (same) catalogue.Dims(entry, i, sizes, dims);
    uint64_t elements = 1;  // copies rely on the product of the sizes
    for (uint32_t d = 0; same && d < value.rank; ++d) {
      const uint64_t size = static_cast<uint64_t>(dims[d]);
      same = program.dims(value)[d] == dims[d] && (size == 0 || elements <= kMostElements / size);
      elements *= size;
    }
    same = same && static_cast<uint64_t>(value.bytes) == elements * ElementBytes(program, value);
    if (!same) return Bad("the sizes of a part's argument or result", i);
  }
  for (uint64_t i = 0; i < entry.num_variables; ++i) {
    const program_format::ValueRecord& value =
        program.parameter(static_cast<uint32_t>(entry.num_arguments + i));
    if (value.rank != 0 || value.bytes != sizeof(int32_t)) return Bad("a part's size argument", i);
  }
  return Status();
}

}  // namespace

Bundle::~Bundle() {
  DestroyParts();
  HeapFree(parts_);
  if (mapped_ != 0) munmap(mapping_, mapped_);
}

void Bundle::DestroyParts() {
  for (uint32_t i = 0; i < num_parts_; ++i) {
    if (parts_[i] != nullptr) parts_[i]->Destroy();
    parts_[i] = nullptr;
  }
}

Program* Bundle::Take(uint32_t target, uint32_t part) {
  Program*& from = parts_[target * parts_of_target_ + part];
  Program* taken = from;
  from = nullptr;
  return taken;
}

void Bundle::Swap(Bundle* other) {
  const auto swap = [](auto* a, auto* b) {
    const auto kept = *a;
    *a = *b;
    *b = kept;
  };
  swap(&head_, &other->head_);
  swap(&constants_, &other->constants_);
  swap(&parts_, &other->parts_);
  swap(&num_parts_, &other->num_parts_);
  swap(&parts_of_target_, &other->parts_of_target_);
  swap(&has_catalogue_, &other->has_catalogue_);
  swap(&catalogue_, &other->catalogue_);
  swap(&mapping_, &other->mapping_);
  swap(&mapped_, &other->mapped_);
}

Status Bundle::AllocateParts(uint64_t count) {
  parts_ = static_cast<Program**>(HeapAllocateZeroed(count, sizeof(Program*)));
  if (parts_ == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for a bundle's parts");
  num_parts_ = static_cast<uint32_t>(count);
  return Status();
}

Status Bundle::SetOnlyPart(Program* part) {
  Status status = AllocateParts(1);
  if (status.ok()) {
    parts_[0] = part;
  } else {
    part->Destroy();
  }
  return status;
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
  if (IsProgram(head)) {
    Program* part = nullptr;
    HY_RETURN_IF_ERROR(Program::WithWeights(head, weights, &part));
    return SetOnlyPart(part);
  }
  HY_RETURN_IF_ERROR(CheckKind(head));
  memcpy(&header, head.data, sizeof(header));
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
  if (IsProgram(bytes)) {
    Program* part = nullptr;
    HY_RETURN_IF_ERROR(Program::FromMemory(bytes, &part, Check::kAllButConstants));
    return SetOnlyPart(part);
  }
  HY_RETURN_IF_ERROR(CheckKind(bytes));
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
  const uint64_t count = header().parts.count;
  const program_format::Range& catalogue = header().catalogue;
  if (catalogue.bytes != 0) {
    HY_RETURN_IF_ERROR(
        catalogue_.Read({head_.data + catalogue.offset, static_cast<size_t>(catalogue.bytes)}));
    const uint64_t of_target = catalogue_.parts_of_target();
    if (of_target > count || of_target * catalogue_.num_targets() != count)
      return Bad("number of parts", count);
    has_catalogue_ = true;
    parts_of_target_ = static_cast<uint32_t>(of_target);
  }
  if (count / parts_of_target_ > bundle_format::kMaxTargets)
    return Bad("number of targets", count / parts_of_target_);
  HY_RETURN_IF_ERROR(AllocateParts(count));
  for (uint32_t i = 0; i < count; ++i) {
    const ByteSpan part{head_.data + parts[i].offset, static_cast<size_t>(parts[i].bytes)};
    Status status = Program::FromParts(part, constants_, &parts_[i]);
    if (!status.ok()) return MakeStatus(status.code(), "bundle: part %u: %s", i, status.message());
  }
  return CheckParts();
}

Status Bundle::CheckParts() const {
  for (uint32_t i = 0; i < num_parts_; ++i) {
    if (!SameValues(*parts_[i % parts_of_target_], *parts_[i]))
      return Bad("a target has other arguments or results", i);
  }
  uint32_t next = 0;
  while (has_catalogue_ && next < num_parts_) {
    for (uint32_t e = 0; e < catalogue_.num_entries(); ++e) {
      const Catalogue::Entry& entry = catalogue_.entry(e);
      const uint64_t count = catalogue_.num_parts(entry);
      for (uint64_t k = 0; k < count; ++k)
        HY_RETURN_IF_ERROR(CheckPart(catalogue_, entry, k, *parts_[next++]));
    }
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
