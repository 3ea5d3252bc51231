// halyard devices: lists the devices that programs can run on here, and those that they can be
// compiled for.
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/devices/device_file.h"
#include "client/devices/target.h"
#include "runtime/device_class.h"
#include "tools/halyard/command.h"
#include "tools/halyard/global_options.h"
#include "tools/halyard/report.h"

namespace halyard::tools {
namespace {

using runtime::DeviceInfo;
using runtime::DeviceKind;

std::string Bytes(uint64_t bytes) {
  if (bytes == 0) return "unknown";
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  double value = static_cast<double>(bytes);
  for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
  return absl::StrFormat(value == static_cast<int64_t>(value) ? "%.0f %s" : "%.1f %s", value,
                         units[unit]);
}

void Print(const char* what, const std::string& value) {
  printf("    %-22s %s\n", what, value.c_str());
}

void PrintX86(const DeviceInfo& info) {
  constexpr std::pair<uint64_t, const char*> kFeatures[] = {
      {runtime::kX86Sse41, "SSE4.2"},
      {runtime::kX86Avx, "AVX"},
      {runtime::kX86Avx2, "AVX2"},
      {runtime::kX86Fma, "FMA"},
      {runtime::kX86F16c, "F16C"},
      {runtime::kX86Avx512, "AVX-512"},
      {runtime::kX86Avx512Vnni, "AVX512-VNNI"},
      {runtime::kX86Avx512Bf16, "AVX512-BF16"},
      {runtime::kX86Amx, "AMX"}};
  std::vector<std::string> names;
  for (const auto& [bit, name] : kFeatures) {
    if (info.x86_features & bit) names.push_back(name);
  }
  Print("features", names.empty() ? "none beyond the baseline" : absl::StrJoin(names, " "));
  Print("CPUs", info.compute_units == 0 ? "unknown" : absl::StrCat(info.compute_units));
  Print("caches", absl::StrCat("L1 ", Bytes(info.l1_bytes), ", L2 ", Bytes(info.l2_bytes),
                               ", last level ", Bytes(info.last_level_cache_bytes)));
}

void PrintGpu(const DeviceInfo& info) {
  if (info.cuda_capability > 0) Print("architecture", absl::StrCat("sm_", info.cuda_capability));
  if (info.software) Print("software", "runs on the CPU");
  if (info.compute_units > 0) Print("compute units", absl::StrCat(info.compute_units));
  Print("group",
        absl::StrFormat("%d threads, at most %s; subgroups of %d", info.max_threads_per_group,
                        absl::StrJoin(info.max_group, "x"), info.subgroup_size));
  Print("grid", absl::StrCat("at most ", absl::StrJoin(info.max_grid, "x")));
  Print("shared memory", absl::StrCat(Bytes(info.max_shared_bytes), " of a group"));
  if (info.kind == DeviceKind::kVulkan) {
    Print("bindings", absl::StrCat(info.max_storage_buffers, " of a kernel, each at most ",
                                   Bytes(info.max_storage_range_bytes)));
  }
  std::vector<std::string> types;
  if (info.has_f64) types.push_back("f64");
  if (info.has_f16) types.push_back("f16");
  if (info.has_i64) types.push_back("s64");
  if (info.has_i16) types.push_back("s16");
  if (info.has_i8) types.push_back("s8");
  Print("types beside f32, s32", types.empty() ? "none" : absl::StrJoin(types, " "));
}

void PrintDevice(const LiveDevice& device) {
  const DeviceInfo& info = device.info;
  printf("%s%s  %s\n", device.target.c_str(),
         device.index > 0 ? absl::StrCat(" --device=", device.index).c_str() : "", info.name);
  if (info.kind == DeviceKind::kReference) return;
  if (info.kind == DeviceKind::kX86) {
    PrintX86(info);
  } else {
    PrintGpu(info);
  }
  Print("memory", absl::StrCat(Bytes(info.memory_bytes), ", at most ",
                               Bytes(info.max_allocation_bytes), " in one piece"));
  Print("denormals", info.keeps_denormals ? "kept" : "not kept");
}

// Prints the device of a target as a description file.
int Describe(const std::string& text, int device) {
  const absl::StatusOr<Target> target = ParseTarget(text, device);
  if (!target.ok()) return FailTarget(target.status());
  if (target->device.kind == DeviceKind::kReference)
    return Fail(absl::InvalidArgumentError("reference is no device: it has no limits to describe"));
  printf("# %s, as of --target=%s\n%s", target->device.name, text.c_str(),
         WriteDeviceFile(target->device).c_str());
  return kFine;
}

int Devices(const std::string& describe, const GlobalOptions& global) {
  if (!describe.empty()) return Describe(describe, global.client.device_index);
  const DeviceList list = ListDevices();
  puts("Devices here, as --target takes them:\n");
  for (const LiveDevice& device : list.devices) PrintDevice(device);
  bool reference = false;
  for (const LiveDevice& d : list.devices) reference = reference || d.target == "reference";
  if (!reference) puts("reference  the evaluator: slow, for comparing");
  if (!list.absent.empty()) {
    puts("\nNot here:\n");
    for (const std::string& line : list.absent) printf("  %s\n", line.c_str());
  }
  puts("\nTo compile for, whether here or not:\n");
  for (const DeviceKind kind : {DeviceKind::kX86, DeviceKind::kCuda, DeviceKind::kVulkan}) {
    std::vector<std::string> names;
    for (const std::string& name : KnownDeviceNames(kind)) {
      names.push_back(absl::StrCat(runtime::KindName(kind), ":", name));
    }
    if (!names.empty()) printf("  %s\n", absl::StrJoin(names, "  ").c_str());
  }
  return kFine;
}

}  // namespace

void AddDevices(CLI::App& app, const GlobalOptions& global, Action* action) {
  CLI::App* command = app.add_subcommand("devices", "List the devices that --target can name");
  auto describe = std::make_shared<std::string>();
  command
      ->add_option("--describe", *describe,
                   "Print this target's device as a description file, which cuda:FILE and "
                   "vulkan:FILE take")
      ->type_name("TARGET");
  command->callback([action, describe, &global] {
    *action = [describe, &global] { return Devices(*describe, global); };
  });
}

}  // namespace halyard::tools
