#include "tools/program_commands.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "frontend/hlo/values/literal.h"
#include "runtime/c_api/halyard_rt.h"
#include "runtime/c_api/handles.h"
#include "tools/command_line.h"
#include "tools/halyard/arrays.h"
#include "tools/output_file.h"
#include "tools/program_info.h"

namespace halyard::tools {
namespace {

using hlo::Literal;
using hlo::Shape;
using Clock = std::chrono::steady_clock;

struct ProgramCommand {
  std::string file, targets, outputs;
  std::string entry;               // "": the first
  std::vector<std::string> sizes;  // "NAME=N"
  InputOptions inputs;
  int repeat = 0;  // 0: until min_seconds are over
  double min_seconds = 1;
};

int Fail(const absl::Status& status) {
  fprintf(stderr, "halyard-rt: error: %s\n", std::string(status.message()).c_str());
  return 1;
}

// Takes ownership of the status.
absl::Status ToStatus(hy_status status) {
  if (status == nullptr) return absl::OkStatus();
  absl::Status result(static_cast<absl::StatusCode>(hy_status_code(status)),
                      hy_status_message(status));
  hy_status_free(status);
  return result;
}

// Puts the file's name before a message that does not have it.
absl::Status InFile(const std::string& file, const absl::Status& status) {
  if (absl::StrContains(status.message(), file)) return status;
  return absl::Status(status.code(), absl::StrCat(file, ": ", status.message()));
}

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

absl::StatusOr<Shape> ShapeOf(const hy_value& value) {
  const auto type = hlo::ElementTypeFromHloName(value.element_type);
  if (!type.has_value()) {
    return absl::UnimplementedError(
        absl::StrCat(value.name, ": elements of the type ", value.element_type));
  }
  std::vector<int64_t> dims(value.dims, value.dims + value.rank), order;
  if (value.minor_to_major != nullptr)
    order.assign(value.minor_to_major, value.minor_to_major + value.rank);
  Shape shape = Shape::ArrayWithLayout(*type, std::move(dims), std::move(order));
  if (static_cast<uint64_t>(shape.ByteSize()) == value.bytes) return shape;
  return absl::UnimplementedError(
      absl::StrCat(value.name, ": ", shape.ToString(), " in ", value.bytes, " bytes"));
}

// Copies between an array in row-major order and one in the shape's layout.
Literal Reordered(const Literal& from, const Shape& shape, bool to_layout) {
  Literal to(shape.WithDefaultLayout());
  const std::vector<int64_t> strides = shape.Strides();
  std::vector<int64_t> index(shape.rank(), 0);
  for (int64_t i = 0; i < shape.NumElements(); ++i) {
    int64_t place = 0;
    for (size_t d = 0; d < index.size(); ++d) place += index[d] * strides[d];
    to.CopyElement(to_layout ? place : i, from, to_layout ? i : place);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < shape.dim(static_cast<int64_t>(d))) break;
      index[d] = 0;
    }
  }
  return to;
}

// Reads "NAME=N" of each.
absl::StatusOr<std::map<std::string, int64_t>> ParseSizes(const std::vector<std::string>& texts) {
  std::map<std::string, int64_t> sizes;
  for (const std::string& text : texts) {
    const size_t equals = text.rfind('=');
    int64_t size = 0;
    if (equals == std::string::npos || !absl::SimpleAtoi(text.substr(equals + 1), &size)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--sizes=", text, ": a size is NAME=N, such as batch=8"));
    }
    if (!sizes.emplace(text.substr(0, equals), size).second)
      return absl::InvalidArgumentError(absl::StrCat("--sizes=", text, ": it is there twice"));
  }
  return sizes;
}

// A program on the device that suits it best, with its arguments.
class Loaded {
 public:
  Loaded() = default;
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() {
    for (hy_buffer* buffer : buffers_) hy_buffer_free(buffer);
    hy_program_free(file_);
  }

  // Says on stderr which target was chosen, and why not the others.
  absl::Status Load(const ProgramCommand& command, int device, int threads) {
    hy_choose_options options = {};
    options.struct_size = sizeof(options);
    options.threads = threads;
    options.device = device;
    options.targets = command.targets.empty() ? nullptr : command.targets.c_str();
    const Clock::time_point start = Clock::now();
    absl::Status status = ToStatus(hy_program_choose_file(command.file.c_str(), &options, &file_));
    if (!status.ok()) return InFile(command.file, status);
    create_ms_ = MillisecondsSince(start);
    fputs(hy_program_choice(file_), stderr);
    if (absl::Status s = ChooseEntry(command.entry); !s.ok()) return InFile(command.file, s);
    if (absl::Status s = ChooseSizes(command.sizes); !s.ok()) return InFile(command.file, s);
    if (absl::Status s = ReadShapes(true, &arguments_); !s.ok()) return s;
    if (absl::Status s = ReadShapes(false, &results_); !s.ok()) return s;
    InputOptions inputs = command.inputs;
    if (inputs.file.empty() && !inputs.seed.has_value() && !arguments_.empty()) {
      inputs.seed = 0;
      fputs("arguments: made up from the seed 0; --inputs=FILE.npz gives others\n", stderr);
    }
    absl::StatusOr<std::vector<Literal>> literals = ReadArguments(inputs, command.file, arguments_);
    if (!literals.ok()) return literals.status();
    return Upload(*literals);
  }

  // Runs once. Frees the results of the run before.
  absl::Status Run() {
    for (size_t i = arguments_.size(); i < buffers_.size(); ++i) hy_buffer_free(buffers_[i]);
    buffers_.resize(arguments_.size());
    std::vector<hy_buffer*> results(results_.size(), nullptr);
    absl::Status status =
        sizes_.empty()
            ? ToStatus(hy_run_buffers(program_, buffers_.data(), nullptr, results.data()))
            : ToStatus(hy_run_buffers_sized(program_, nullptr, sizes_.data(), buffers_.data(),
                                            results.data()));
    if (!status.ok()) return status;
    buffers_.insert(buffers_.end(), results.begin(), results.end());
    for (hy_buffer* result : results) {
      if (absl::Status s = ToStatus(hy_buffer_wait(result)); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  // The results of the last run.
  absl::StatusOr<std::vector<Literal>> Results() const {
    std::vector<Literal> literals;
    for (size_t i = 0; i < results_.size(); ++i) {
      Literal literal(results_[i].WithDefaultLayout());
      const absl::Span<std::byte> bytes = literal.mutable_bytes();
      absl::Status status =
          ToStatus(hy_buffer_to_host(buffers_[arguments_.size() + i], bytes.data(), bytes.size()));
      if (!status.ok()) return status;
      literals.push_back(results_[i].HasDefaultLayout() ? std::move(literal)
                                                        : Reordered(literal, results_[i], false));
    }
    return literals;
  }

  const hy_program* program() const { return program_; }
  double create_ms() const { return create_ms_; }

 private:
  // Says on stderr that there are other entries, unless one was asked for.
  absl::Status ChooseEntry(const std::string& asked) {
    program_ = file_;
    if (!asked.empty()) return ToStatus(hy_program_entry(file_, asked.c_str(), &program_));
    const int count = hy_program_num_entries(file_);
    if (count < 2) return absl::OkStatus();
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(hy_program_entry_name(file_, i));
    fprintf(stderr, "entry: %s, the first of %s; --entry=NAME takes another\n", names[0].c_str(),
            absl::StrJoin(names, ", ").c_str());
    return absl::OkStatus();
  }

  // Says on stderr which sizes are the largest for want of others.
  absl::Status ChooseSizes(const std::vector<std::string>& asked) {
    absl::StatusOr<std::map<std::string, int64_t>> given = ParseSizes(asked);
    if (!given.ok()) return given.status();
    std::vector<std::string> names, largest;
    for (int i = 0; i < hy_program_num_sizes(program_); ++i) {
      hy_size size = {};
      if (absl::Status s = ToStatus(hy_program_size(program_, i, &size)); !s.ok()) return s;
      names.push_back(size.name);
      const auto found = given->find(size.name);
      if (found == given->end()) largest.push_back(absl::StrCat(size.name, "=", size.most));
      sizes_.push_back(found == given->end() ? size.most : found->second);
      if (found != given->end()) given->erase(found);
    }
    if (!given->empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--sizes=", given->begin()->first, ": there is no such size",
                       names.empty() ? "" : "; there are ", absl::StrJoin(names, ", ")));
    }
    if (!largest.empty()) {
      fprintf(stderr, "sizes: %s, the largest; --sizes=NAME=N,... gives others\n",
              absl::StrJoin(largest, ", ").c_str());
    }
    return absl::OkStatus();
  }

  // Writes the dimensions for this run's sizes. HY_INVALID_ARGUMENT if one is not allowed.
  absl::Status SetDims(bool of_arguments, int i, std::vector<int64_t>* dims) const {
    return ToStatus(of_arguments
                        ? hy_program_argument_dims(program_, i, sizes_.data(), dims->data())
                        : hy_program_result_dims(program_, i, sizes_.data(), dims->data()));
  }

  absl::Status ReadShapes(bool of_arguments, std::vector<Shape>* shapes) {
    const int count =
        of_arguments ? hy_program_num_arguments(program_) : hy_program_num_results(program_);
    for (int i = 0; i < count; ++i) {
      hy_value value = {};
      absl::Status status = ToStatus(of_arguments ? hy_program_argument(program_, i, &value)
                                                  : hy_program_result(program_, i, &value));
      if (!status.ok()) return status;
      absl::StatusOr<Shape> shape = ShapeOf(value);
      if (!shape.ok()) return shape.status();
      if (!sizes_.empty()) {
        std::vector<int64_t> dims(static_cast<size_t>(shape->rank()));
        if (absl::Status s = SetDims(of_arguments, i, &dims); !s.ok()) return s;
        shape = Shape::Array(shape->element_type(), std::move(dims));
      }
      shapes->push_back(*std::move(shape));
    }
    return absl::OkStatus();
  }

  absl::Status Upload(const std::vector<Literal>& literals) {
    hy_device* device = reinterpret_cast<hy_device*>(runtime::From(program_)->context());
    for (size_t i = 0; i < literals.size(); ++i) {
      const Literal literal = arguments_[i].HasDefaultLayout()
                                  ? literals[i]
                                  : Reordered(literals[i], arguments_[i], true);
      hy_buffer* buffer = nullptr;
      absl::Status status = ToStatus(
          hy_buffer_from_host(device, literal.bytes().data(), literal.bytes().size(), &buffer));
      if (!status.ok()) return status;
      buffers_.push_back(buffer);
    }
    return absl::OkStatus();
  }

  hy_program* file_ = nullptr;
  hy_program* program_ = nullptr;  // the entry of `file_` that runs
  std::vector<int64_t> sizes_;     // of a run, if it chooses them
  std::vector<Shape> arguments_, results_;
  std::vector<hy_buffer*> buffers_;  // arguments, then the results of the last run
  double create_ms_ = 0;
};

int RunProgram(const ProgramCommand& command, int device, int threads) {
  if (!command.outputs.empty()) {
    if (absl::Status s = CheckArrayFile(command.outputs); !s.ok()) return Fail(s);
  }
  Loaded loaded;
  if (absl::Status s = loaded.Load(command, device, threads); !s.ok()) return Fail(s);
  if (absl::Status s = loaded.Run(); !s.ok()) return Fail(s);
  absl::StatusOr<std::vector<Literal>> results = loaded.Results();
  if (!results.ok()) return Fail(results.status());
  for (size_t i = 0; i < results->size(); ++i)
    puts(Summary(absl::StrCat("out", i), (*results)[i]).c_str());
  if (command.outputs.empty()) return 0;
  if (absl::Status s = WriteResults(command.outputs, *results); !s.ok()) return Fail(s);
  return 0;
}

int Bench(const ProgramCommand& command, int device, int threads) {
  Loaded loaded;
  if (absl::Status s = loaded.Load(command, device, threads); !s.ok()) return Fail(s);
  std::vector<double> runs_ms;
  double first_ms = 0;
  const size_t fewest = command.repeat > 0 ? static_cast<size_t>(command.repeat) : 3;
  constexpr size_t kMost = 1000000;
  Clock::time_point begin = Clock::now();
  for (bool first = true; first || runs_ms.size() < fewest ||
                          (command.repeat == 0 && runs_ms.size() < kMost &&
                           MillisecondsSince(begin) < command.min_seconds * 1e3);
       first = false) {
    const Clock::time_point start = Clock::now();
    if (absl::Status s = loaded.Run(); !s.ok()) return Fail(s);
    const double ms = MillisecondsSince(start);
    if (first) {
      first_ms = ms;
      begin = Clock::now();
    } else {
      runs_ms.push_back(ms);
    }
  }
  std::sort(runs_ms.begin(), runs_ms.end());
  printf(
      "%s: create %.3g ms, first run %.3g ms, median %.3g ms, min %.3g ms, p90 %.3g ms of %zu "
      "runs\n",
      hy_program_target(loaded.program()), loaded.create_ms(), first_ms,
      runs_ms[runs_ms.size() / 2], runs_ms.front(),
      runs_ms[std::min(runs_ms.size() - 1, runs_ms.size() * 9 / 10)], runs_ms.size());
  return 0;
}

int Info(const ProgramCommand& command) {
  const absl::StatusOr<std::string> lines = DescribeProgramFile(command.file);
  if (!lines.ok()) return Fail(InFile(command.file, lines.status()));
  fputs(lines->c_str(), stdout);
  return 0;
}

void AddFile(CLI::App& command, const std::shared_ptr<ProgramCommand>& options) {
  command.add_option("FILE", options->file, "A .hyprog or .hybundle of `halyard compile`")
      ->required();
}

void AddRunOptions(CLI::App& command, const std::shared_ptr<ProgramCommand>& options) {
  AddFile(command, options);
  command.add_option("--target", options->targets,
                     "Targets or kinds to try, in this order, as in $HALYARD_TARGET");
  command.add_option("--entry", options->entry,
                     "Which entry of several (see `halyard-rt info`; default: the first)");
  command
      .add_option("--sizes", options->sizes,
                  "NAME=N,...: the sizes that runs choose (default: the largest)")
      ->delimiter(',');
  CLI::Option* inputs = command.add_option("--inputs", options->inputs.file,
                                           ".npz file with the arguments arg0, arg1, ...");
  command
      .add_option("--random-inputs", options->inputs.seed,
                  "Make the arguments up, from this seed (default: 0)")
      ->excludes(inputs);
}

}  // namespace

void AddProgramCommands(CLI::App& app, const int& device, const int& threads,
                        std::function<int()>* action) {
  auto run_options = std::make_shared<ProgramCommand>();
  CLI::App* run = app.add_subcommand("run", "Run a program, and show its results");
  AddRunOptions(*run, run_options);
  run->add_option("--outputs", run_options->outputs, ".npz file for the results out0, out1, ...");
  run->callback([run_options, &device, &threads, action] {
    *action = [run_options, &device, &threads] {
      return RunProgram(*run_options, device, threads);
    };
  });

  auto bench_options = std::make_shared<ProgramCommand>();
  CLI::App* bench = app.add_subcommand("bench", "Time a program, with its arguments on the device");
  AddRunOptions(*bench, bench_options);
  bench->add_option("--repeat", bench_options->repeat, "Run this often, however long it takes")
      ->check(AboveZero());
  bench->add_option("--min-time", bench_options->min_seconds, "Seconds to go on running")
      ->check(ZeroOrMore())
      ->capture_default_str();
  bench->callback([bench_options, &device, &threads, action] {
    *action = [bench_options, &device, &threads] { return Bench(*bench_options, device, threads); };
  });

  auto info_options = std::make_shared<ProgramCommand>();
  CLI::App* info = app.add_subcommand("info", "Say what a program file or a bundle holds");
  AddFile(*info, info_options);
  info->callback(
      [info_options, action] { *action = [info_options] { return Info(*info_options); }; });
}

}  // namespace halyard::tools
