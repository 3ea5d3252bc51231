#include "client/api/program_compiler.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/api/custom_call.h"
#include "client/cache/store.h"
#include "client/reports/codegen_times.h"
#include "client/reports/compile_dump.h"
#include "client/reports/profile.h"
#include "client/reports/warning.h"
#include "client/tuning/tuned_schedules.h"
#include "codegen/gpu/ptx/ptxas.h"
#include "codegen/service/kernel_compiler.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "lowering/kernels/quick_line.h"
#include "runtime/x86/cpu.h"

namespace halyard {

using lowering::KernelReply;
using lowering::KernelRequest;

namespace {

double MillisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// The device for steps of a GPU program that run on the host: any x86 CPU.
absl::StatusOr<runtime::DeviceInfo> HostInfo() {
  absl::StatusOr<Target> target = ParseTarget("x86:v2");
  if (!target.ok()) return target.status();
  return target->device;
}

std::string ObjectKey(const KernelRequest& request) {
  return request.ObjectKey(lowering::gpu::AssemblerOf(request.device.kind));
}

// The process has one service, because it is costly to start and works for several threads at once.
lowering::KernelCompiler& Service() {
  static auto* service = lowering::KernelCompiler::Create({}).release();
  return *service;
}

// Reads lines of the form `kernel-name: line`; `#` starts a comment.
absl::StatusOr<std::map<std::string, std::string>> ParseSchedules(const std::string& text) {
  std::map<std::string, std::string> lines;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const size_t colon = line.find(": ");
    if (colon == absl::string_view::npos) {
      return absl::InvalidArgumentError(absl::StrCat("schedules, line ", number, ": `", line,
                                                     "` is not `kernel: template knob=value …`"));
    }
    lines[std::string(absl::StripAsciiWhitespace(line.substr(0, colon)))] =
        std::string(absl::StripAsciiWhitespace(line.substr(colon + 1)));
  }
  return lines;
}

absl::Status KernelError(const ProgramSpec::Kernel& kernel, const absl::Status& status) {
  std::string where = kernel.provenance.substr(0, kernel.provenance.find('\n'));
  return absl::Status(
      status.code(),
      absl::StrCat("kernel ", kernel.name, where.empty() ? "" : absl::StrCat(" (", where, ")"),
                   ": ", status.message()));
}

// Writes shapes as "f32[4,8];s32[2]".
std::string ShapesText(const std::vector<hlo::Shape>& shapes) {
  return absl::StrJoin(shapes, ";", [](std::string* text, const hlo::Shape& shape) {
    absl::StrAppend(text, shape.ToString());
  });
}

// Returns the `halyard tune …` that tunes this kernel, as it is compiled here, into the same
// database.
std::string TuneCommand(const ClientOptions& client, const CompileOptions& compile,
                        const std::string& target, absl::string_view kernel) {
  std::string command =
      absl::StrCat("halyard tune ", compile.file.empty() ? "PROGRAM" : compile.file,
                   " --target=", target, " --kernel=", kernel);
  if (!compile.argument_shapes.empty())
    absl::StrAppend(&command, " --arg-shapes=\"", ShapesText(compile.argument_shapes), "\"");
  if (!client.tuning_database.empty()) absl::StrAppend(&command, " --db=", client.tuning_database);
  if (client.device_index != 0) absl::StrAppend(&command, " --device=", client.device_index);
  if (client.threads != 0) absl::StrAppend(&command, " --threads=", client.threads);
  if (!client.use_libraries) absl::StrAppend(&command, " --no-libraries");
  if (!compile.attention) absl::StrAppend(&command, " --no-attention");
  if (!compile.without.empty()) absl::StrAppend(&command, " --without=", compile.without);
  return command;
}

}  // namespace

std::string CompileOptions::KeyText() const {
  // All fields are named here, so that a new field is a compile error until someone adds it to the
  // text or finds that it changes nothing that is compiled.
  const auto& [fuse_, attention_, quick_, dump_, schedules_, choices_, without_, scatter_,
               replicas_, partitions_, assignment_, file_, shapes_, progress_] = *this;
  // The size before each text separates the texts, whatever they contain.
  return absl::StrCat("fuse ", fuse_, "\nattention ", attention_, "\nquick ", quick_, "\nscatter ",
                      scatter_, "\ngrid ", replicas_, " ", partitions_, "\nwithout ",
                      without_.size(), " ", without_, "\nschedules ", schedules_.size(), " ",
                      schedules_, "\nchoices ", choices_.size(), " ", choices_, "\nshapes ",
                      ShapesText(shapes_), "\n");
}

absl::Status CheckQuick(const ClientOptions& client, const CompileOptions& compile) {
  if (!compile.quick) return absl::OkStatus();
  if (!compile.schedules.empty()) {
    return absl::InvalidArgumentError(
        "--O0 chooses the schedule of every kernel, so --schedules cannot name others");
  }
  if (client.locked) {
    return absl::InvalidArgumentError(
        "--O0 uses no record of the tuning database, so --locked cannot require one");
  }
  return absl::OkStatus();
}

absl::StatusOr<lowering::PlanOptions> PlanOptionsFor(const Target& target,
                                                     const CompileOptions& compile) {
  lowering::PlanOptions plan;
  plan.device = plan.host = target.device;
  plan.target = target.text;
  plan.fuse = compile.fuse;
  plan.attention = compile.attention;
  plan.choices = compile.choices;
  absl::StatusOr<lowering::RewriteSet> without = lowering::ParseRewrites(compile.without);
  if (!without.ok()) return without.status();
  plan.without = *without;
  if (target.device.kind == runtime::DeviceKind::kX86) return plan;
  absl::StatusOr<runtime::DeviceInfo> host = HostInfo();
  if (!host.ok()) return host.status();
  plan.host = *host;
  return plan;
}

struct ProgramCompiler::Planned {
  ProgramSpec program;
  CompileDump dumper;
};

absl::StatusOr<ProgramCompiler::Planned> ProgramCompiler::PlanAndDump(const hlo::Module& module,
                                                                      const Target& target) {
  if (hlo::NeedsSpecialization(module)) {
    absl::StatusOr<std::unique_ptr<hlo::Module>> made =
        hlo::SpecializeForShapes(module, compile.argument_shapes);
    if (!made.ok()) return made.status();
    return PlanAndDump(**made, target);
  }
  if (!compile.argument_shapes.empty()) {
    const auto agreed = hlo::ParameterShapes(*module.entry(), compile.argument_shapes);
    if (!agreed.ok()) return agreed.status();
  }
  absl::StatusOr<CompileDump> dumper = CompileDump::Create(compile.dump_dir);
  if (!dumper.ok()) return dumper.status();

  const auto start = std::chrono::steady_clock::now();
  if (absl::Status s = CheckQuick(client, compile); !s.ok()) return s;
  absl::StatusOr<lowering::PlanOptions> options = PlanOptionsFor(target, compile);
  if (!options.ok()) return options.status();
  lowering::PlanOptions& plan = *options;
  if (client.use_tuning && compile.fuse && !compile.quick) {
    plan.find_choices = [&](const std::string& key) -> absl::StatusOr<std::string> {
      absl::StatusOr<TunedSchedules> tuned =
          TunedSchedules::OpenForCompile(client.tuning_database, client.locked);
      if (!tuned.ok()) return tuned.status();
      absl::StatusOr<std::string> kept = tuned->FindChoices(key, target.device);
      tuning_failed |= tuned->failed();
      return kept;
    };
  }
  Profile* profile = client.profile.get();
  const int64_t plan_begin = Profile::Now();
  int64_t pass_begin = plan_begin;
  if (dumper->on() || profile != nullptr) {
    plan.on_pass = [&](const char* pass, const hlo::Module& m) {
      if (profile != nullptr) profile->AddSince(ProfileEvent::Kind::kCompile, pass, pass_begin);
      if (dumper->on()) dumper->Pass(pass, m);
      pass_begin = Profile::Now();
    };
  }
  absl::StatusOr<ProgramSpec> program = lowering::PlanProgram(module, plan);
  if (!program.ok()) return program.status();
  if (profile != nullptr) {
    profile->AddSince(ProfileEvent::Kind::kCompile, "steps and memory", pass_begin);
    profile->AddSince(ProfileEvent::Kind::kCompile, "plan", plan_begin);
  }
  if (absl::Status status = CheckMemory(*program); !status.ok()) return status;
  stats.plan_ms += MillisecondsSince(start);
  return Planned{*std::move(program), *std::move(dumper)};
}

absl::StatusOr<ProgramSpec> ProgramCompiler::Plan(const hlo::Module& module, const Target& target) {
  absl::StatusOr<Planned> planned = PlanAndDump(module, target);
  if (!planned.ok()) return planned.status();
  return std::move(planned->program);
}

struct ProgramCompiler::Wanted {
  KernelRequest request;
  bool tuned = false;  // whether the schedule comes from a record
};

// Returns each kernel's request, with the schedule that `compile.schedules` or the tuning database
// names.
absl::StatusOr<std::vector<ProgramCompiler::Wanted>> ProgramCompiler::WantedKernels(
    const ProgramSpec& program, const std::string& target) {
  absl::StatusOr<std::map<std::string, std::string>> lines = ParseSchedules(compile.schedules);
  if (!lines.ok()) return lines.status();
  std::optional<TunedSchedules> tuned;
  if (client.use_tuning && !compile.quick) {
    absl::StatusOr<TunedSchedules> opened =
        TunedSchedules::OpenForCompile(client.tuning_database, client.locked);
    if (!opened.ok()) return opened.status();
    tuned = *std::move(opened);
  }
  std::vector<Wanted> wanted;
  for (const ProgramSpec::Kernel& kernel : program.kernels) {
    absl::StatusOr<KernelRequest> request = KernelRequest::Parse(kernel.request);
    if (!request.ok()) return request.status();
    wanted.push_back({*std::move(request)});
    Wanted& want = wanted.back();
    if (compile.quick) want.request.schedule = lowering::kQuickLine;
    if (auto line = lines->find(kernel.name); line != lines->end()) {
      want.request.schedule = line->second;
      lines->erase(line);
      continue;
    }
    // Kernels of a GPU program that run on the host are for any x86, and are not tuned.
    if (!tuned.has_value() || kernel.space == MemorySpace::kHost) continue;
    absl::StatusOr<std::optional<std::string>> best = tuned->Find(want.request);
    if (!best.ok()) return best.status();
    if (best->has_value()) {
      want.request.schedule = **best;
      want.tuned = true;
      ++stats.kernels_tuned;
    } else if (client.locked) {
      return KernelError(
          kernel,
          absl::FailedPreconditionError(absl::StrCat(
              "no record of it for ", want.request.device.name, " in ", tuned->path(),
              ", and schedules are locked; run `",
              TuneCommand(client, compile, target, kernel.name.substr(0, kernel.name.find(' '))),
              "`")));
    }
  }
  tuning_failed |= tuned.has_value() && tuned->failed();
  if (!lines->empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("schedules: the program has no kernel ", lines->begin()->first));
  }
  return wanted;
}

namespace {

// After the default schedule took too long: compiles the kernel as --O0 does. Changes nothing if
// that fails, too.
void CompileQuickly(const ProgramSpec::Kernel& kernel, KernelRequest* request,
                    absl::StatusOr<KernelReply>* answer) {
  KernelRequest quick = *request;
  quick.schedule = lowering::kQuickLine;
  absl::StatusOr<KernelReply> reply = Service().Compile({quick})[0];
  if (!reply.ok()) return;
  const absl::Status why = KernelError(kernel, answer->status());
  fprintf(stderr,
          "halyard: warning: a kernel is compiled as with --O0, and may be slow ($%s sets how long "
          "compiling it well may take): %s\n",
          lowering::kCompileSecondsVariable, std::string(why.message()).c_str());
  *request = std::move(quick);
  *answer = std::move(reply);
}

}  // namespace

// Fills in the replies of the kernels that are not in the cache. If a record's schedule no longer
// compiles, the default takes its place, and if that takes too long, the quick one does.
absl::Status ProgramCompiler::CompileMissing(const ProgramSpec& program,
                                             std::vector<Wanted>* wanted,
                                             const std::vector<size_t>& missing) {
  if (missing.empty()) return absl::OkStatus();
  if (absl::Status started = Service().Start(); !started.ok()) return started;
  int done = 0;
  const int total = static_cast<int>(missing.size());
  std::vector<std::string> names;
  std::vector<KernelRequest> requests;
  for (size_t i : missing) {
    names.push_back(program.kernels[i].name);
    requests.push_back((*wanted)[i].request);
  }
  CodegenTimes times(client.profile.get(), std::move(names));
  std::vector<absl::StatusOr<KernelReply>> answers = Service().Compile(requests, [&](size_t index) {
    ++done;
    times.Done(index);
    if (compile.progress) compile.progress(done, total);
  });
  for (size_t m = 0; m < answers.size(); ++m) {
    const size_t i = missing[m];
    Wanted& want = (*wanted)[i];
    if (!answers[m].ok() && want.tuned && !client.locked) {
      const absl::Status why = KernelError(program.kernels[i], answers[m].status());
      fprintf(stderr,
              "halyard: warning: the record's schedule \"%s\" no longer compiles, and the default "
              "is used: %s\n",
              want.request.schedule.c_str(), std::string(why.message()).c_str());
      want.request.schedule.clear();
      want.tuned = false;
      answers[m] = Service().Compile({want.request})[0];
    }
    if (absl::IsDeadlineExceeded(answers[m].status()) && want.request.schedule.empty())
      CompileQuickly(program.kernels[i], &want.request, &answers[m]);
    if (!answers[m].ok()) return KernelError(program.kernels[i], answers[m].status());
    replies[i] = *std::move(answers[m]);
  }
  return absl::OkStatus();
}

namespace {

std::optional<KernelReply> ReadKernel(const Store& store, const KernelRequest& request) {
  const std::optional<std::string> text = store.Read("kernel", ObjectKey(request));
  if (!text.has_value()) return std::nullopt;
  absl::StatusOr<KernelReply> reply = KernelReply::Parse(*text);
  if (!reply.ok()) return std::nullopt;
  return *std::move(reply);
}

}  // namespace

absl::StatusOr<ProgramSpec> ProgramCompiler::Compile(const hlo::Module& module,
                                                     const Target& target) {
  absl::StatusOr<Planned> planned = PlanAndDump(module, target);
  if (!planned.ok()) return planned.status();
  ProgramSpec* const program = &planned->program;
  if (runs_here) {
    if (absl::Status s = CheckCustomCalls(module, program); !s.ok()) return s;
  }
  CompileDump* const dumper = &planned->dumper;
  Profile* const profile = client.profile.get();

  const auto start = std::chrono::steady_clock::now();
  const int64_t codegen_begin = Profile::Now();
  absl::StatusOr<Store> store = absl::NotFoundError("no cache");
  if (client.use_cache) {
    store = Store::OpenForCompile(client.cache_dir);
    if (!store.ok()) return store.status();
  }
  const bool dump = want_dump || dumper->on();
  absl::StatusOr<std::vector<Wanted>> wanted = WantedKernels(*program, target.text);
  if (!wanted.ok()) return wanted.status();
  replies.assign(program->kernels.size(), KernelReply());
  std::vector<size_t> missing;
  for (size_t i = 0; i < program->kernels.size(); ++i) {
    KernelRequest& request = (*wanted)[i].request;
    request.dump = dump;
    std::optional<KernelReply> cached;
    if (store.ok() && !dump) cached = ReadKernel(*store, request);
    if (cached.has_value()) {
      replies[i] = *std::move(cached);
      ++stats.kernels_from_cache;
    } else {
      missing.push_back(i);
    }
  }
  stats.kernels += static_cast<int>(program->kernels.size());
  if (!missing.empty()) {
    if (absl::Status s = CompileMissing(*program, &*wanted, missing); !s.ok()) return s;
    for (size_t i : missing) {
      if (replies[i].warning.empty()) continue;
      // The warnings of all kernels say the same, so one is enough.
      WarnOnce(absl::StrCat(replies[i].warning, "; the driver will compile the kernels"));
      break;
    }
  }
  for (size_t i : missing) {
    const KernelRequest& request = (*wanted)[i].request;
    if (store.ok() && !dump) store->Write("kernel", ObjectKey(request), replies[i].Serialize());
    if (dumper->on()) dumper->Kernel(i, replies[i], request.device.kind);
  }
  from_record.clear();
  for (size_t i = 0; i < program->kernels.size(); ++i) {
    program->kernels[i].object = replies[i].object;
    from_record.push_back((*wanted)[i].tuned);
  }
  const int threads =
      client.threads > 0 ? client.threads : static_cast<int>(runtime::x86::OnlineCpus());
  if (absl::Status s = CheckMemoryWithScratch(*program, threads); !s.ok()) return s;
  stats.codegen_ms += MillisecondsSince(start);
  if (profile != nullptr) profile->AddSince(ProfileEvent::Kind::kCompile, "codegen", codegen_begin);
  if (!dumper->status().ok()) return dumper->status();
  return std::move(planned->program);
}

}  // namespace halyard
