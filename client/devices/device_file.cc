#include "client/devices/device_file.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"
#include "runtime/device_class.h"
#include "runtime/device_fields.h"

namespace halyard {

using runtime::DeviceInfo;
using runtime::DeviceKind;

namespace {

using Bit = std::pair<absl::string_view, uint64_t>;

constexpr Bit KindBit(DeviceKind kind) {
  return {runtime::KindName(kind), static_cast<uint64_t>(kind)};
}
constexpr Bit kKinds[] = {KindBit(DeviceKind::kX86), KindBit(DeviceKind::kCuda),
                          KindBit(DeviceKind::kVulkan)};
constexpr Bit kX86Features[] = {{"sse4.2", runtime::kX86Sse41},
                                {"avx", runtime::kX86Avx},
                                {"avx2", runtime::kX86Avx2},
                                {"fma", runtime::kX86Fma},
                                {"f16c", runtime::kX86F16c},
                                {"avx512", runtime::kX86Avx512},
                                {"avx512vnni", runtime::kX86Avx512Vnni},
                                {"avx512bf16", runtime::kX86Avx512Bf16},
                                {"amx", runtime::kX86Amx},
                                {"zen4", runtime::kX86Zen4},
                                {"sapphirerapids", runtime::kX86SapphireRapids}};
constexpr Bit kFloatControls[] = {
    {"specials_f16", runtime::kKeepsSpecialsF16},   {"specials_f32", runtime::kKeepsSpecialsF32},
    {"specials_f64", runtime::kKeepsSpecialsF64},   {"denormals_f16", runtime::kKeepsDenormalsF16},
    {"denormals_f64", runtime::kKeepsDenormalsF64}, {"to_even_f16", runtime::kRoundsToEvenF16},
    {"to_even_f32", runtime::kRoundsToEvenF32},     {"to_even_f64", runtime::kRoundsToEvenF64}};
constexpr Bit kLibraries[] = {{"cublaslt", runtime::kCublasLt},
                              {"cudnn", runtime::kCudnn},
                              {"cufft", runtime::kCufft},
                              {"cusolver", runtime::kCusolver},
                              {"nccl", runtime::kNccl}};
constexpr Bit kUnits[] = {{"", 1},
                          {"KiB", uint64_t{1} << 10},
                          {"MiB", uint64_t{1} << 20},
                          {"GiB", uint64_t{1} << 30},
                          {"TiB", uint64_t{1} << 40},
                          {"K", 1000},
                          {"M", 1000000},
                          {"G", 1000000000},
                          {"T", 1000000000000}};

// Returns the names of the bits if the field is a set of bits, and nothing if it is a number.
absl::Span<const Bit> BitsOf(absl::string_view field) {
  if (field == "x86_features") return kX86Features;
  if (field == "float_controls") return kFloatControls;
  if (field == "libraries") return kLibraries;
  return {};
}

std::string NamesOf(absl::Span<const Bit> bits) {
  return absl::StrJoin(bits, ", ",
                       [](std::string* out, const Bit& bit) { absl::StrAppend(out, bit.first); });
}

const Bit* Find(absl::Span<const Bit> bits, absl::string_view name) {
  auto found =
      std::find_if(bits.begin(), bits.end(), [&](const Bit& b) { return b.first == name; });
  return found == bits.end() ? nullptr : &*found;
}

// Returns what is wrong with the text, or "".
std::string ParseNumber(absl::string_view text, uint64_t* value) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const absl::string_view unit_name = absl::StripLeadingAsciiWhitespace(text.substr(digits));
  const Bit* unit = Find(kUnits, unit_name);
  if (unit == nullptr) {
    return absl::StrCat("unit `", unit_name, "`; there are ",
                        NamesOf(absl::MakeConstSpan(kUnits).subspan(1)));
  }
  uint64_t number;
  if (!absl::SimpleAtoi(text.substr(0, digits), &number))
    return absl::StrCat("`", text, "` is not a whole number");
  if (number > UINT64_MAX / unit->second) return absl::StrCat("`", text, "` is too large");
  *value = number * unit->second;
  return "";
}

std::string ParseBits(absl::Span<const Bit> bits, absl::string_view text, uint64_t* value) {
  *value = 0;
  for (absl::string_view name : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const Bit* bit = Find(bits, name);
    if (bit == nullptr) return absl::StrCat("`", name, "`; there are ", NamesOf(bits));
    *value |= bit->second;
  }
  return "";
}

template <typename Field>
std::string ParseField(absl::string_view name, absl::string_view text, Field* field) {
  uint64_t value = 0;
  std::string wrong;
  if constexpr (std::is_same_v<Field, DeviceKind>) {
    const Bit* kind = Find(kKinds, text);
    if (kind == nullptr) return absl::StrCat("`", text, "`; there are ", NamesOf(kKinds));
    value = kind->second;
  } else if constexpr (std::is_same_v<Field, bool>) {
    if (text != "yes" && text != "no") return absl::StrCat("`", text, "` is not yes or no");
    value = text == "yes";
  } else if (!BitsOf(name).empty()) {
    wrong = ParseBits(BitsOf(name), text, &value);
  } else {
    wrong = ParseNumber(text, &value);
  }
  if (wrong.empty() && !runtime::SetDeviceField(value, field))
    wrong = absl::StrCat("`", text, "` is too large");
  return wrong;
}

// Templates and limit checks divide by these fields, or depend on them in another way.
std::vector<absl::string_view> RequiredFields(DeviceKind kind) {
  if (kind == DeviceKind::kX86) return {"name", "compute_units", "l1_bytes", "l2_bytes"};
  std::vector<absl::string_view> fields = {
      "name",        "memory_bytes", "max_allocation_bytes", "max_threads_per_group",
      "max_group_x", "max_group_y",  "max_group_z",          "max_grid_x",
      "max_grid_y",  "max_grid_z",   "max_shared_bytes",     "subgroup_size"};
  if (kind == DeviceKind::kCuda) fields.insert(fields.end(), {"compute_units", "cuda_capability"});
  if (kind == DeviceKind::kVulkan)
    fields.insert(fields.end(), {"max_storage_buffers", "max_storage_range_bytes"});
  return fields;
}

// These fields must not be 0, which would mean "not known", and so no limit. If there is no limit,
// the file has no line about it.
bool IsNeverZero(absl::string_view field) {
  return field == "memory_bytes" || field == "max_allocation_bytes" ||
         field == "max_storage_buffers" || field == "max_storage_range_bytes";
}

// A field and what is wrong with it, which is "" if nothing is.
struct Complaint {
  std::string field, what;
};

// Checks the fields of a CUDA device: its capability, the types that all CUDA devices have, and
// that the fields on which kernels for CUDA do not depend are not set.
Complaint CheckCudaValues(const DeviceInfo& d) {
  constexpr int32_t kLeast = 61, kMost = 150;
  if (d.cuda_capability < kLeast || d.cuda_capability > kMost)
    return {"cuda_capability",
            absl::StrCat("cuda_capability = ", d.cuda_capability, "; it is 90 for sm_90, and from ",
                         kLeast, " to ", kMost)};
  const std::pair<absl::string_view, bool> types[] = {
      {"has_f64", d.has_f64}, {"has_f16", d.has_f16}, {"has_i64", d.has_i64},
      {"has_i16", d.has_i16}, {"has_i8", d.has_i8},   {"keeps_denormals", d.keeps_denormals}};
  for (const auto& [field, has] : types) {
    if (!has) return {std::string(field), absl::StrCat(field, " = no; all CUDA devices do")};
  }
  const std::pair<absl::string_view, bool> others[] = {{"software", d.software},
                                                       {"x86_features", d.x86_features != 0},
                                                       {"float_controls", d.float_controls != 0},
                                                       {"l1_bytes", d.l1_bytes != 0},
                                                       {"l2_bytes", d.l2_bytes != 0}};
  for (const auto& [field, is_set] : others) {
    if (is_set) return {std::string(field), absl::StrCat(field, " says nothing of a CUDA device")};
  }
  return {};
}

// Checks the least values: the limits that Vulkan 1.3 requires, and those of CUDA since the oldest
// architecture for which kernels are made.
Complaint CheckValues(const DeviceInfo& d) {
  auto below = [](const std::string& field, uint64_t value, uint64_t least) {
    return Complaint{field,
                     absl::StrCat(field, " = ", value, "; kernels need ", least, " at least")};
  };
  if (d.buffer_alignment < 64 || (d.buffer_alignment & (d.buffer_alignment - 1)) != 0)
    return {"buffer_alignment", absl::StrCat("buffer_alignment = ", d.buffer_alignment,
                                             " is not a power of two of 64 or more")};
  if (d.kind == DeviceKind::kX86) return {};
  if (d.max_threads_per_group < 128)
    return below("max_threads_per_group", d.max_threads_per_group, 128);
  if (d.max_shared_bytes < 16384) return below("max_shared_bytes", d.max_shared_bytes, 16384);
  for (int i = 0; i < 3; ++i) {
    if (d.max_grid[i] < 65535)
      return below(absl::StrCat("max_grid_", std::string(1, 'x' + i)), d.max_grid[i], 65535);
    if (d.max_group[i] < 64)
      return below(absl::StrCat("max_group_", std::string(1, 'x' + i)), d.max_group[i], 64);
  }
  if (d.subgroup_size == 0 || (d.subgroup_size & (d.subgroup_size - 1)) != 0)
    return {"subgroup_size",
            absl::StrCat("subgroup_size = ", d.subgroup_size, " is not a power of two")};
  if (d.max_storage_buffers != 0 && d.max_storage_buffers < 4)
    return below("max_storage_buffers", d.max_storage_buffers, 4);
  if (d.kind == DeviceKind::kCuda) return CheckCudaValues(d);
  if (d.kind == DeviceKind::kVulkan && d.max_storage_range_bytes < (uint64_t{1} << 27))
    return below("max_storage_range_bytes", d.max_storage_range_bytes, uint64_t{1} << 27);
  return {};
}

class Parser {
 public:
  Parser(absl::string_view text, absl::string_view filename) : text_(text), filename_(filename) {}

  absl::StatusOr<DeviceInfo> Parse() {
    for (absl::string_view line : absl::StrSplit(text_, '\n')) {
      ++line_;
      absl::Status status = ParseLine(line.substr(0, std::min(line.find('#'), line.size())));
      if (!status.ok()) return status;
    }
    if (seen_.count("kind") == 0) return Error(1, "no line `kind = x86 | cuda | vulkan`");
    std::vector<absl::string_view> missing;
    for (absl::string_view field : RequiredFields(device_.kind)) {
      if (seen_.count(field) == 0) missing.push_back(field);
    }
    if (!missing.empty())
      return Error(1, absl::StrCat("no line for ", absl::StrJoin(missing, ", ")));
    if (device_.kind == DeviceKind::kCuda) AddCudaTypes();
    const Complaint complaint = CheckValues(device_);
    if (complaint.what.empty()) return device_;
    if (const auto place = seen_.find(complaint.field); place != seen_.end()) {
      line_ = place->second.line;
      return Error(place->second.column, complaint.what);
    }
    return Error(1, complaint.what);
  }

 private:
  struct Place {
    int line = 0;
    size_t column = 0;
  };

  // All CUDA devices have these, so no line needs to say so.
  void AddCudaTypes() {
    const std::pair<const char*, bool*> types[] = {{"has_f64", &device_.has_f64},
                                                   {"has_f16", &device_.has_f16},
                                                   {"has_i64", &device_.has_i64},
                                                   {"has_i16", &device_.has_i16},
                                                   {"has_i8", &device_.has_i8}};
    for (const auto& [field, has] : types) {
      if (seen_.count(field) == 0) *has = true;
    }
  }

  absl::Status Error(size_t column, absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat(filename_, ":", line_, ":", column, ": error: ", what));
  }

  absl::Status ParseLine(absl::string_view line) {
    const absl::string_view stripped = absl::StripAsciiWhitespace(line);
    if (stripped.empty()) return absl::OkStatus();
    const size_t column = static_cast<size_t>(stripped.data() - line.data()) + 1;
    const size_t equals = stripped.find('=');
    if (equals == absl::string_view::npos) return Error(column, "expected `field = value`");
    const absl::string_view name = absl::StripAsciiWhitespace(stripped.substr(0, equals));
    const absl::string_view value = absl::StripAsciiWhitespace(stripped.substr(equals + 1));
    const size_t value_column =
        value.empty() ? line.size() + 1 : static_cast<size_t>(value.data() - line.data()) + 1;
    if (!seen_.try_emplace(std::string(name), Place{line_, value_column}).second)
      return Error(column, absl::StrCat("a second line for `", name, "`"));
    if (name == "name") {
      if (value.empty() || value.size() >= sizeof(device_.name))
        return Error(value_column, "a name of 1 to 127 bytes is wanted");
      memcpy(device_.name, value.data(), value.size());
      return absl::OkStatus();
    }
    bool known = false;
    std::string wrong;
    runtime::VisitDeviceFields(device_, [&](absl::string_view field, auto& target, bool) {
      if (field != name) return;
      known = true;
      wrong = ParseField(name, value, &target);
      if (wrong.empty() && target == std::decay_t<decltype(target)>{} && IsNeverZero(name))
        wrong = absl::StrCat(name, " = 0; a device has some");
    });
    if (!known) return Error(column, absl::StrCat("no field `", name, "`"));
    return wrong.empty() ? absl::OkStatus() : Error(value_column, wrong);
  }

  absl::string_view text_, filename_;
  int line_ = 0;
  std::map<std::string, Place, std::less<>> seen_;  // where the values stand in the file
  DeviceInfo device_;
};

template <typename Field>
std::string FieldText(absl::string_view name, Field field) {
  const uint64_t value = static_cast<uint64_t>(field);
  if constexpr (std::is_same_v<Field, DeviceKind>) {
    for (const Bit& kind : kKinds) {
      if (kind.second == value) return std::string(kind.first);
    }
  }
  if constexpr (std::is_same_v<Field, bool>) return value != 0 ? "yes" : "no";
  if (!BitsOf(name).empty()) {
    std::vector<absl::string_view> names;
    for (const Bit& bit : BitsOf(name)) {
      if ((value & bit.second) != 0) names.push_back(bit.first);
    }
    return absl::StrJoin(names, " ");
  }
  if (!absl::EndsWith(name, "_bytes")) return absl::StrCat(value);
  for (const char* unit : {"TiB", "GiB", "MiB", "KiB"}) {
    const uint64_t scale = Find(kUnits, unit)->second;
    if (value >= scale && value % scale == 0) return absl::StrCat(value / scale, " ", unit);
  }
  return absl::StrCat(value);
}

}  // namespace

absl::StatusOr<DeviceInfo> ParseDeviceFile(absl::string_view text, absl::string_view filename) {
  return Parser(text, filename).Parse();
}

std::string WriteDeviceFile(const DeviceInfo& device) {
  std::string text;
  runtime::VisitDeviceFields(device, [&](absl::string_view name, auto value, bool) {
    if (static_cast<uint64_t>(value) == 0 && IsNeverZero(name)) return;  // not known
    absl::StrAppend(&text, name, " = ", FieldText(name, value), "\n");
    if (name == "kind") absl::StrAppend(&text, "name = ", device.name, "\n");
  });
  return text;
}

}  // namespace halyard
