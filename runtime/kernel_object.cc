#include "runtime/kernel_object.h"

#include <string.h>

#include "runtime/byte_reader.h"
#include "runtime/hash.h"
#include "runtime/kernel_object_format.h"

namespace halyard::runtime {
namespace {

using namespace kernel_object_format;  // NOLINT: this file is that format's reader

Status Bad(uint64_t offset, const char* what) {
  return MakeStatus(Code::kDataLoss, "kernel object: %s (at byte %llu)", what,
                    static_cast<unsigned long long>(offset));
}

bool ReadString(ByteSpan bytes, Range range, StringSpan* out) {
  if (range.bytes >= UINT32_MAX || !InRange(range.offset, range.bytes + 1, bytes.size))
    return false;
  const uint8_t* data = bytes.data + range.offset;
  if (data[range.bytes] != 0 || memchr(data, 0, range.bytes) != nullptr) return false;
  out->data = reinterpret_cast<const char*>(data);
  out->size = static_cast<uint32_t>(range.bytes);
  return true;
}

bool InTable(uint64_t offset, uint64_t count, uint64_t entry, uint64_t size) {
  return InRange(offset, 0, size) && count <= (size - offset) / entry;
}

// Checks that a buffer of these extents and strides (element counts, never negative) fits in
// `bytes`, in 64 bits.
Status CheckArgument(const Argument& a, uint64_t offset) {
  if (a.rank > kMaxKernelRank) return Bad(offset, "an argument of rank over 16");
  if (a.type_code > 4) return Bad(offset, "an argument of unknown type");
  if (a.type_bits == 0 || a.type_bits > 64) return Bad(offset, "an argument of unknown width");
  uint64_t last = 0;
  bool empty = false, too_large = false;
  for (int d = 0; d < a.rank; ++d) {
    if (a.extent[d] < 0 || a.stride[d] < 0) return Bad(offset, "a negative extent or stride");
    empty |= a.extent[d] == 0;
    // A dimension adds less than 2^62.
    if (a.extent[d] > 0) last += static_cast<uint64_t>(a.extent[d] - 1) * a.stride[d];
    too_large |= last > UINT64_MAX / 16;
    if (too_large) last = 0;
  }
  const uint64_t element = (a.type_bits + 7) / 8;
  if (!empty && too_large) return Bad(offset, "an argument too large");
  if (!empty && a.bytes < (last + 1) * element) {
    return Bad(offset, "an argument whose extents do not fit its bytes");
  }
  return Status();
}

Status CheckLaunch(const KernelObjectView& view, uint32_t i, uint64_t offset) {
  const LaunchRecord r = LoadUnaligned<LaunchRecord>(view.bytes.data + offset);
  StringSpan entry;
  if (r.library == 0 && r.module >= view.num_modules) {
    return Bad(offset, "a launch of a module that does not exist");
  }
  if ((r.library & (r.library - 1)) != 0 || r.library > kCusolver) {
    return Bad(offset, "a launch of an unknown library");
  }
  if (!ReadString(view.bytes, r.entry, &entry)) return Bad(offset, "a launch's entry name");
  for (int d = 0; d < 3; ++d) {
    if (r.grid[d] == 0 || r.block[d] == 0)
      return Bad(offset, "a launch with an empty grid or block");
  }
  if (r.num_arguments > kMaxLaunchArguments) return Bad(offset, "a launch with over 64 arguments");
  if (!InTable(r.arguments, r.num_arguments, sizeof(LaunchArgumentRecord), view.bytes.size)) {
    return Bad(offset, "a launch whose arguments lie outside");
  }
  for (uint32_t k = 0; k < r.num_arguments; ++k) {
    const uint64_t at = r.arguments + k * sizeof(LaunchArgumentRecord);
    const auto a = LoadUnaligned<LaunchArgumentRecord>(view.bytes.data + at);
    switch (static_cast<LaunchArgument::Kind>(a.kind)) {
      case LaunchArgument::Kind::kBuffer:
        if (a.index >= view.num_inputs + view.num_outputs ||
            !InRange(a.offset, a.bytes, view.argument(a.index).bytes)) {
          return Bad(at, "a launch argument outside its buffer");
        }
        break;
      case LaunchArgument::Kind::kScratch:
        if (!InRange(a.offset, a.bytes, view.scratch_bytes)) {
          return Bad(at, "a launch argument outside the scratch");
        }
        break;
      case LaunchArgument::Kind::kScalar:
        if (a.bytes != 1 && a.bytes != 2 && a.bytes != 4 && a.bytes != 8) {
          return Bad(at, "a scalar launch argument of odd size");
        }
        break;
      default:
        return Bad(at, "a launch argument of unknown kind");
    }
  }
  return Status();
}

Status CheckHeader(ByteSpan bytes, const Header& h) {
  if (h.magic != kMagic) return Bad(0, "wrong magic");
  if (h.version != kKernelObjectVersion) {
    return MakeStatus(Code::kDataLoss, "kernel object: version %u, this runtime reads %u",
                      h.version, kKernelObjectVersion);
  }
  if (h.total_bytes != bytes.size) return Bad(8, "its size is not what its header says");
  if (h.checksum != Hash64(bytes.data + kChecksumEnd, bytes.size - kChecksumEnd)) {
    return Bad(16, "checksum differs");
  }
  if (h.kind > static_cast<uint32_t>(DeviceKind::kVulkan) || h.kind == 0) {
    return Bad(24, "unknown kind of device");
  }
  if (h.counter_bytes % kCounterUnit != 0 || h.counter_bytes > h.scratch_bytes ||
      (h.counter_bytes != 0 && h.kind != static_cast<uint32_t>(DeviceKind::kCuda))) {
    return Bad(44, "counters outside the scratch of a CUDA kernel");
  }
  if (h.num_inputs > 4096 || h.num_outputs > 4096) return Bad(28, "too many arguments");
  const uint64_t arguments = uint64_t{h.num_inputs} + h.num_outputs;
  if (!InTable(h.arguments, arguments, sizeof(Argument), bytes.size))
    return Bad(h.arguments, "arguments");
  if (!InTable(h.modules, h.num_modules, sizeof(Range), bytes.size))
    return Bad(h.modules, "modules");
  if (!InTable(h.launches, h.num_launches, sizeof(LaunchRecord), bytes.size)) {
    return Bad(h.launches, "launches");
  }
  if (!InRange(h.x86_object.offset, h.x86_object.bytes, bytes.size))
    return Bad(h.x86_object.offset, "x86 code");
  return Status();
}

}  // namespace

KernelArgument KernelObjectView::argument(uint32_t i) const {
  const Argument a = LoadUnaligned<Argument>(argument_table + i * sizeof(Argument));
  KernelArgument out;
  out.type_code = a.type_code;
  out.type_bits = a.type_bits;
  out.rank = a.rank;
  out.bytes = a.bytes;
  memcpy(out.extent, a.extent, sizeof(out.extent));
  memcpy(out.stride, a.stride, sizeof(out.stride));
  return out;
}

ByteSpan KernelObjectView::module(uint32_t i) const {
  const Range r = LoadUnaligned<Range>(module_table + i * sizeof(Range));
  return ByteSpan{bytes.data + r.offset, static_cast<size_t>(r.bytes)};
}

Launch KernelObjectView::launch(uint32_t i) const {
  const auto r = LoadUnaligned<LaunchRecord>(launch_table + i * sizeof(LaunchRecord));
  Launch out;
  out.module = r.module;
  ReadString(bytes, r.entry, &out.entry);
  memcpy(out.grid, r.grid, sizeof(out.grid));
  memcpy(out.block, r.block, sizeof(out.block));
  out.shared_bytes = r.shared_bytes;
  out.library = r.library;
  out.num_arguments = r.num_arguments;
  for (uint32_t k = 0; k < r.num_arguments; ++k) {
    const auto a = LoadUnaligned<LaunchArgumentRecord>(bytes.data + r.arguments +
                                                       k * sizeof(LaunchArgumentRecord));
    out.arguments[k] = {static_cast<LaunchArgument::Kind>(a.kind), a.index, a.offset, a.bytes,
                        a.scalar_bits};
  }
  return out;
}

Status ParseKernelObject(ByteSpan bytes, KernelObjectView* view) {
  if (bytes.size < sizeof(Header)) return Bad(bytes.size, "shorter than its header");
  const Header h = LoadUnaligned<Header>(bytes.data);
  HY_RETURN_IF_ERROR(CheckHeader(bytes, h));
  KernelObjectView out;
  out.bytes = bytes;
  out.kind = static_cast<DeviceKind>(h.kind);
  if (!ReadString(bytes, h.name, &out.name) || out.name.size == 0)
    return Bad(h.name.offset, "name");
  out.num_inputs = h.num_inputs;
  out.num_outputs = h.num_outputs;
  out.counter_bytes = h.counter_bytes;
  out.scratch_bytes = h.scratch_bytes;
  out.scratch_bytes_per_task = h.scratch_bytes_per_task;
  out.num_modules = h.num_modules;
  out.num_launches = h.num_launches;
  out.x86_object = {bytes.data + h.x86_object.offset, static_cast<size_t>(h.x86_object.bytes)};
  out.argument_table = bytes.data + h.arguments;
  out.module_table = bytes.data + h.modules;
  out.launch_table = bytes.data + h.launches;
  for (uint32_t i = 0; i < h.num_inputs + h.num_outputs; ++i) {
    const uint64_t at = h.arguments + i * sizeof(Argument);
    HY_RETURN_IF_ERROR(CheckArgument(LoadUnaligned<Argument>(bytes.data + at), at));
  }
  for (uint32_t i = 0; i < h.num_modules; ++i) {
    const Range r = LoadUnaligned<Range>(out.module_table + i * sizeof(Range));
    if (!InRange(r.offset, r.bytes, bytes.size))
      return Bad(h.modules + i * sizeof(Range), "a module");
  }
  for (uint32_t i = 0; i < h.num_launches; ++i) {
    HY_RETURN_IF_ERROR(CheckLaunch(out, i, h.launches + i * sizeof(LaunchRecord)));
  }
  *view = out;
  return Status();
}

}  // namespace halyard::runtime
