// adams2019, li2018, mullapudi2016, anderson2021: Halide's own autoschedulers, which work on the
// algorithm as template `plain` defines it. They are never a default. Their code is in
// libautoschedule_NAME.so, beside libHalide.
//
//   Adams et al., "Learning to Optimize Halide with Tree Search and Random Programs" (2019)
//   Li et al., "Differentiable Programming for Image Processing and Deep Learning in Halide" (2018)
//   Mullapudi et al., "Automatically Scheduling Halide Image Processing Pipelines" (2016)
//   Anderson et al., "Efficient Automatic Scheduling of Imaging and Vision Pipelines for the GPU"
//   (2021)

#include "schedules/autoscheduler.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "schedules/loops.h"
#include "schedules/registry.h"

namespace halyard::schedules {

using lowering::EmitError;
using runtime::DeviceKind;

std::string AutoschedulerFile(const std::string& plugin) {
  std::string folder;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        const absl::string_view path = info->dlpi_name;
        const size_t slash = path.rfind('/');
        if (slash == path.npos || !absl::StartsWith(path.substr(slash + 1), "libHalide.so"))
          return 0;
        *static_cast<std::string*>(result) = std::string(path.substr(0, slash));
        return 1;
      },
      &folder);
  return absl::StrCat(folder, "/libautoschedule_", plugin, ".so");
}

namespace {

// This is done once per process: a second registration is an error in Halide.
void LoadPlugin(const std::string& plugin) {
  static std::mutex mutex;
  static std::set<std::string>& loaded = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (loaded.count(plugin) != 0) return;
  const std::string file = AutoschedulerFile(plugin);
  if (access(file.c_str(), R_OK) != 0) {
    throw EmitError(absl::StrCat("template ", plugin, " needs Halide's autoscheduler ", file,
                                 ", which does not exist; install it beside libHalide"));
  }
  Halide::load_plugin(file);
  loaded.insert(plugin);
}

// Every element must be written once, and must not be written in place.
bool AcceptsAny(const LoweredKernel& kernel) { return !kernel.in_place; }

// It maps at most three axes to a GPU's grid, and fails on more. CUDA has anderson2021.
bool FitsMullapudi(const LoweredKernel& kernel) {
  constexpr size_t kGridAxes = 3;
  return kernel.device.kind != DeviceKind::kCuda && AcceptsAny(kernel) &&
         kernel.axes.size() <= kGridAxes &&
         std::all_of(kernel.heroes.begin(), kernel.heroes.end(),
                     [](const auto& hero) { return hero->axes.size() <= kGridAxes; });
}

// It knows only one output: https://github.com/halide/Halide/issues/8000.
bool HasOneOutput(const LoweredKernel& kernel) {
  return AcceptsAny(kernel) && kernel.num_outputs == 1;
}

// If threads add to a sum as they finish, the sum differs from run to run.
void RefuseUnorderedSums(const std::string& plugin, const LoweredKernel& kernel) {
  for (const auto& [name, function] :
       Halide::Internal::build_environment({kernel.output.function()})) {
    for (const Halide::Internal::Definition& update : function.updates()) {
      if (!update.schedule().atomic()) continue;
      for (const Halide::Internal::Dim& dim : update.schedule().dims()) {
        if (dim.is_unordered_parallel() && dim.dim_type == Halide::Internal::DimType::ImpureRVar) {
          throw EmitError(absl::StrCat(plugin, " adds ", name,
                                       " in the order in which threads come, which Halyard does "
                                       "not do: results would differ from run to run"));
        }
      }
    }
  }
}

void DefinePlainly(LoweredKernel& kernel) {
  kernel.BuildRow([&](lowering::Hero& hero) { kernel.DefineHero(hero); },
                  [](lowering::RowValue&) {});
  kernel.BuildOutput(/*part_is_axis=*/true);  // they reject Funcs that have loops already
  for (const lowering::Axis& axis : kernel.axes)
    kernel.output.set_estimate(axis.var, 0, static_cast<int32_t>(axis.extent));
  for (Halide::ImageParam& input : kernel.inputs) {
    for (int d = 0; d < input.dimensions(); ++d)
      input.dim(d).set_estimate(0, input.dim(d).extent());
  }
}

using Parameters = std::map<std::string, std::string>;

// `plugin` is the name of the template and of the file; `name` is what the plugin calls itself.
void Run(LoweredKernel& kernel, const std::string& plugin, const std::string& name,
         const Parameters& parameters) {
  LoadPlugin(plugin);
  DefinePlainly(kernel);
  Halide::Pipeline(kernel.output)
      .apply_autoscheduler(kernel.target, Halide::AutoschedulerParams(name, parameters));
  RefuseUnorderedSums(plugin, kernel);
}

std::string Text(int64_t value) { return std::to_string(value); }

// Few choices: each costs a search of its own when it is compiled. `seed` 0 is the whole beam
// search; with others, a state's children are dropped at random, so that another schedule is found.
Parameters BeamParameters(const LoweredKernel& kernel, const Schedule& schedule) {
  const int64_t seed = schedule.Get("seed");
  return {{"parallelism", Text(runtime::UnitsOf(kernel.device))},
          {"beam_size", Text(schedule.Get("beam"))},
          {"random_dropout", seed == 0 ? "100" : "80"},
          {"random_dropout_seed", Text(seed)}};
}

std::vector<Knob> BeamSpace(const LoweredKernel&) {
  return {{"beam", {1, 32}}, {"seed", {0, 1, 2, 3, 4, 5, 6, 7}}};
}

Schedule AdamsDefaults(const LoweredKernel&) {
  return Schedule(kAdams.name).Set("beam", 32).Set("seed", 0);
}

void ApplyAdams(LoweredKernel& kernel, const Schedule& schedule) {
  Run(kernel, "adams2019", "Adams2019", BeamParameters(kernel, schedule));
}

Schedule AndersonDefaults(const LoweredKernel&) {
  return Schedule(kAnderson.name).Set("beam", 32).Set("seed", 0);
}

void ApplyAnderson(LoweredKernel& kernel, const Schedule& schedule) {
  Parameters parameters = BeamParameters(kernel, schedule);
  const std::string shared_kib = Text(kernel.device.max_shared_bytes / 1024);
  parameters["shared_memory_limit_kb"] = shared_kib;
  parameters["shared_memory_sm_limit_kb"] = kernel.device.unit_shared_bytes > 0
                                                ? Text(kernel.device.unit_shared_bytes / 1024)
                                                : shared_kib;
  Run(kernel, "anderson2021", "Anderson2021", parameters);
}

Schedule LiDefaults(const LoweredKernel&) { return Schedule(kLi.name); }

std::vector<Knob> LiSpace(const LoweredKernel&) { return {}; }

void ApplyLi(LoweredKernel& kernel, const Schedule&) {
  Run(kernel, "li2018", "Li2018", {{"parallelism", Text(runtime::UnitsOf(kernel.device))}});
}

// What a parallel loop must have of steps, the bytes that a tile may read, and how many operations
// a load costs; defaults as in the paper.
Schedule CpuMullapudiDefaults(const LoweredKernel&) {
  return Schedule(kMullapudi.name).Set("cache_kib", 16384).Set("balance", 40);
}
Schedule GpuMullapudiDefaults(const LoweredKernel&) {
  return Schedule(kMullapudi.name).Set("parallelism", 128).Set("cache_kib", 48).Set("balance", 20);
}

std::vector<Knob> CpuMullapudiSpace(const LoweredKernel&) {
  return {{"cache_kib", {256, 1024, 16384}}, {"balance", {5, 40}}};
}
std::vector<Knob> GpuMullapudiSpace(const LoweredKernel&) {
  return {{"parallelism", {64, 128, 256}}, {"cache_kib", {16, 48}}, {"balance", {5, 20}}};
}

void RunMullapudi(LoweredKernel& kernel, const Schedule& schedule, int64_t parallelism,
                  const char* gpu) {
  Run(kernel, "mullapudi2016", "Mullapudi2016",
      {{"parallelism", Text(parallelism)},
       {"last_level_cache_size", Text(schedule.Get("cache_kib") * 1024)},
       {"balance", Text(schedule.Get("balance"))},
       {"experimental_gpu_schedule", gpu}});
}
void ApplyMullapudiOnCpu(LoweredKernel& kernel, const Schedule& schedule) {
  RunMullapudi(kernel, schedule, runtime::UnitsOf(kernel.device), "0");
}
void ApplyMullapudiOnGpu(LoweredKernel& kernel, const Schedule& schedule) {
  RunMullapudi(kernel, schedule, schedule.Get("parallelism"), "1");
}

}  // namespace

const Template kAdamsOnX86 = {.id = kAdams,
                              .forms = kPlainForms,
                              .device = DeviceClass::kX86,
                              .accepts = AcceptsAny,
                              .defaults = AdamsDefaults,
                              .space = BeamSpace,
                              .apply = ApplyAdams,
                              .by_name_only = true};
const Template kLiOnX86 = {.id = kLi,
                           .forms = kPlainForms,
                           .device = DeviceClass::kX86,
                           .accepts = AcceptsAny,
                           .defaults = LiDefaults,
                           .space = LiSpace,
                           .apply = ApplyLi,
                           .by_name_only = true};
const Template kMullapudiOnX86 = {.id = kMullapudi,
                                  .forms = kPlainForms,
                                  .device = DeviceClass::kX86,
                                  .accepts = AcceptsAny,
                                  .defaults = CpuMullapudiDefaults,
                                  .space = CpuMullapudiSpace,
                                  .apply = ApplyMullapudiOnCpu,
                                  .by_name_only = true};
const Template kMullapudiOnGpu = {.id = kMullapudi,
                                  .forms = kPlainForms,
                                  .device = DeviceClass::kGpu,
                                  .accepts = FitsMullapudi,
                                  .defaults = GpuMullapudiDefaults,
                                  .space = GpuMullapudiSpace,
                                  .apply = ApplyMullapudiOnGpu,
                                  .by_name_only = true};
const Template kAndersonOnCuda = {.id = kAnderson,
                                  .forms = kPlainForms,
                                  .device = DeviceClass::kCuda,
                                  .accepts = HasOneOutput,
                                  .defaults = AndersonDefaults,
                                  .space = BeamSpace,
                                  .apply = ApplyAnderson,
                                  .by_name_only = true};

}  // namespace halyard::schedules
