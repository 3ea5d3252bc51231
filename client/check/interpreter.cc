#include "client/check/interpreter.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/arrays/npy.h"
#include "client/check/check.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/processes/process_grid.h"

namespace halyard::check {
namespace {

using hlo::Literal;
using hlo::Module;
using hlo::Shape;

struct Directory {
  std::mutex mutex;
  int64_t next = 1;
  std::unordered_map<int64_t, Interpreter*> live;
};

Directory& TheDirectory() {
  static auto* directory = new Directory();
  return *directory;
}

int64_t NewNumber() {
  Directory& directory = TheDirectory();
  std::lock_guard<std::mutex> lock(directory.mutex);
  return directory.next++;
}

// Makes a value of `shape`, whose arrays are copied from `in` one after the other.
Literal Taken(const Shape& shape, const void* const* in, size_t* next) {
  if (shape.IsToken()) return Literal::Token();
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Shape& element : shape.elements()) elements.push_back(Taken(element, in, next));
    return Literal::Tuple(std::move(elements));
  }
  Literal literal(shape.Storage().WithDefaultLayout());
  const absl::Span<std::byte> bytes = literal.mutable_bytes();
  const void* from = in[(*next)++];
  if (!bytes.empty()) std::memcpy(bytes.data(), from, bytes.size());
  return literal;
}

void Give(const Literal& literal, void* const* out, size_t* next) {
  if (literal.shape().IsArray()) {
    const absl::Span<const std::byte> bytes = literal.bytes();
    void* to = out[(*next)++];
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  }
  for (const Literal& element : literal.elements()) Give(element, out, next);
}

}  // namespace

Interpreter::Interpreter() : number_(NewNumber()) {
  [[maybe_unused]] static const bool registered = [] {
    RegisterCustomCall(kProbeTarget, CustomCallHandler([](const CustomCallArguments& arguments) {
                         return Call(arguments, /*parallel=*/false);
                       }));
    RegisterCustomCall(kParallelTarget, CustomCallHandler([](const CustomCallArguments& arguments) {
                         return Call(arguments, /*parallel=*/true);
                       }));
    return true;
  }();
  Directory& directory = TheDirectory();
  std::lock_guard<std::mutex> lock(directory.mutex);
  directory.live[number_] = this;
}

Interpreter::~Interpreter() {
  Directory& directory = TheDirectory();
  std::lock_guard<std::mutex> lock(directory.mutex);
  directory.live.erase(number_);
}

std::string Interpreter::Add(ProbeSite site) {
  probes_.push_back(std::move(site));
  return absl::StrCat(number_, ",", probes_.size() - 1);
}

std::string Interpreter::Add(ParallelSite site) {
  parallel_.push_back(std::move(site));
  return absl::StrCat(number_, ",", parallel_.size() - 1);
}

void Interpreter::SetModule(const std::string& name, std::unique_ptr<Module> module) {
  modules_[name] = std::move(module);
}

void Interpreter::Clear() {
  std::lock_guard<std::mutex> lock(mutex_);
  seen_.clear();
}

std::vector<Interpreter::Seen> Interpreter::seen() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return seen_;
}

absl::Status Interpreter::Call(const CustomCallArguments& arguments, bool parallel) {
  const std::vector<absl::string_view> fields = absl::StrSplit(arguments.config, ',');
  int64_t number = 0;
  size_t site = 0;
  if (fields.size() != 2 || !absl::SimpleAtoi(fields[0], &number) ||
      !absl::SimpleAtoi(fields[1], &site)) {
    return absl::InvalidArgumentError("cannot read the backend_config");
  }
  Interpreter* self = nullptr;
  {
    Directory& directory = TheDirectory();
    std::lock_guard<std::mutex> lock(directory.mutex);
    auto found = directory.live.find(number);
    if (found != directory.live.end()) self = found->second;
  }
  if (self == nullptr || site >= (parallel ? self->parallel_.size() : self->probes_.size())) {
    return absl::NotFoundError("the test program of this call is gone");
  }
  if (parallel) return self->RunParallel(self->parallel_[site], arguments);
  return self->Probe(self->probes_[site], arguments);
}

absl::Status Interpreter::Probe(const ProbeSite& site, const CustomCallArguments& arguments) {
  size_t in = 0, out = 0;
  Literal value = Taken(site.shape, arguments.in, &in);
  Give(value, arguments.out, &out);
  std::lock_guard<std::mutex> lock(mutex_);
  seen_.push_back({site.id, site.type, std::move(value)});
  return absl::OkStatus();
}

absl::Status Interpreter::RunParallel(const ParallelSite& site,
                                      const CustomCallArguments& arguments) const {
  std::vector<const Module*> modules;
  std::vector<std::vector<Literal>> inputs;
  size_t next = 0;
  for (const std::string& program : site.programs) {
    modules.push_back(modules_.at(program).get());
    std::vector<Literal>& own = inputs.emplace_back();
    for (const hlo::Instruction* parameter : modules.back()->entry()->parameters()) {
      own.push_back(Taken(parameter->shape, arguments.in, &next));
    }
  }
  std::vector<hlo::ProcessHost> hosts(site.programs.size());
  for (const std::string& function : site.infeed) {
    hlo::Evaluator evaluator;
    evaluator.custom_call = EvaluateCustomCall;
    absl::StatusOr<Literal> data = evaluator.Run(*modules_.at(function), {});
    if (!data.ok()) return data.status();
    hosts[0].infeed.push_back(*std::move(data));
  }
  absl::StatusOr<std::vector<Literal>> results =
      hlo::RunGrid(site.grid, modules, inputs,
                   {.hosts = &hosts, .hosts_pass_on = true, .custom_call = EvaluateCustomCall});
  if (!results.ok()) return results.status();
  next = 0;
  for (const Literal& result : *results) Give(result, arguments.out, &next);
  return absl::OkStatus();
}

absl::Status StartProbes(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) std::filesystem::remove(absl::StrCat(folder, "/index.csv"), error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(folder, " cannot be written to: ", error.message()));
}

absl::Status WriteProbes(const std::vector<Interpreter::Seen>& seen, const std::string& folder) {
  if (seen.empty()) return absl::OkStatus();
  const std::string index = absl::StrCat(folder, "/index.csv");
  const auto fail = [](absl::string_view path) {
    return absl::UnavailableError(absl::StrCat(path, " cannot be written"));
  };
  int64_t number = 1;
  {
    std::ifstream before(index);
    for (std::string line; std::getline(before, line);) ++number;
  }
  std::ofstream lines(index, std::ios::app);
  for (const Interpreter::Seen& one : seen) {
    const std::string name = absl::StrCat("probe", number++, ".npy");
    const std::string path = absl::StrCat(folder, "/", name);
    std::ofstream file(path, std::ios::binary);
    const absl::Span<const std::byte> bytes = one.value.bytes();
    file << NpyHeaderFor(one.value.shape());
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) return fail(path);
    lines << one.id << "," << one.type << "," << name << "\n";
  }
  return lines.flush() ? absl::OkStatus() : fail(index);
}

}  // namespace halyard::check
