#include <climits>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "client/pjrt/platform.h"

namespace halyard::pjrt {
namespace {

absl::Status ReadString(absl::string_view name, const PJRT_NamedValue& value, std::string* out) {
  if (value.type != PJRT_NamedValue_kString)
    return absl::InvalidArgumentError(absl::StrCat("option `", name, "` must be a string"));
  out->assign(value.string_value, value.value_size);
  return absl::OkStatus();
}

absl::Status ReadCount(absl::string_view name, const PJRT_NamedValue& value, int* out) {
  int64_t number = -1;
  const bool read =
      value.type == PJRT_NamedValue_kInt64
          ? (number = value.int64_value, true)
          : value.type == PJRT_NamedValue_kString &&
                absl::SimpleAtoi(absl::string_view(value.string_value, value.value_size), &number);
  if (!read || number < 0 || number > INT_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("option `", name, "` must be an integer that is not negative"));
  }
  *out = static_cast<int>(number);
  return absl::OkStatus();
}

absl::Status CheckOption(const PJRT_NamedValue& value) {
  absl::Status status =
      CheckStructSize("PJRT_NamedValue", value.struct_size, PJRT_NamedValue_STRUCT_SIZE);
  if (!status.ok()) return status;
  HALYARD_PJRT_NEED_LIST(value.name, value.name_size);
  if (value.type == PJRT_NamedValue_kString)
    HALYARD_PJRT_NEED_LIST(value.string_value, value.value_size);
  return absl::OkStatus();
}

}  // namespace

absl::Status ReadClientOptions(const PJRT_NamedValue* values, size_t count, ClientOptions* options,
                               int64_t* python_door) {
  if (const char* target = std::getenv("HALYARD_TARGET"); target != nullptr && *target != '\0')
    options->target = target;
  for (size_t i = 0; i < count; ++i) {
    absl::Status status = CheckOption(values[i]);
    if (!status.ok()) return status;
    const absl::string_view name(values[i].name, values[i].name_size);
    if (name == "target") {
      status = ReadString(name, values[i], &options->target);
    } else if (name == "cache_dir") {
      status = ReadString(name, values[i], &options->cache_dir);
    } else if (name == "device") {
      status = ReadCount(name, values[i], &options->device_index);
    } else if (name == "num_devices") {
      status = ReadCount(name, values[i], &options->num_devices);
    } else if (name == "threads") {
      status = ReadCount(name, values[i], &options->threads);
    } else if (name == "python_callback" && values[i].type == PJRT_NamedValue_kInt64) {
      *python_door = values[i].int64_value;
    } else {
      status = absl::InvalidArgumentError(
          absl::StrCat("unknown option `", name,
                       "`; options are target, device, num_devices, threads and cache_dir"));
    }
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace halyard::pjrt
