#include "tools/halyard/tune/tune_choices.h"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include "client/api/client.h"
#include "client/tuning/choose_plan.h"
#include "frontend/hlo/dynamic/specialize.h"

namespace halyard::tools {

absl::StatusOr<bool> TuneChoices(const std::string& file, const ProgramOptions& program,
                                 const std::string& target, const GlobalOptions& global,
                                 autotuner::Database* database, autotuner::Trials* trials,
                                 const std::function<bool()>& stopped) {
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Create(ClientOptionsFor(global, target));
  if (!client.ok()) return client.status();
  absl::StatusOr<CompileOptions> compile = CompileOptionsFor(global, program);
  if (!compile.ok()) return compile.status();
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ReadProgramFile(file);
  if (module.ok() && hlo::NeedsSpecialization(**module)) {
    module = hlo::SpecializeForShapes(**module, compile->argument_shapes);
  }
  if (!module.ok()) return module.status();
  compile->argument_shapes.clear();  // those of `module` now
  PlanTuneOptions tune;
  tune.search.stopped = stopped;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  tune.search.progress = [terminal](int64_t measured, int64_t most, double promised) {
    if (!terminal) return;
    fprintf(stderr, "\r\x1b[Kplan: %lld of at most %lld kernels measured, %.0f %% to gain at most",
            static_cast<long long>(measured), static_cast<long long>(most), 100 * (1 - promised));
  };
  absl::StatusOr<PlanTuneResult> result =
      TunePlan(**client, **module, *compile, database, trials, tune);
  if (terminal) fprintf(stderr, "\r\x1b[K");
  if (!result.ok()) return result.status();
  fputs(PlanTuneText(*result).c_str(), stdout);
  return result->kept != result->before;
}

}  // namespace halyard::tools
