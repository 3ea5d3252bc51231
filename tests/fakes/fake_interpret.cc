#include "tests/fakes/fake_interpret.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "tests/fakes/ptx/run.h"

namespace halyard::testing {

bool FakeCuda::InterpretsByDefault() {
  const char* mode = std::getenv("HALYARD_FAKE_CUDA");
  return mode != nullptr && std::strcmp(mode, "interpret") == 0;
}

int FakeCuda::DevicesByDefault() {
  const char* count = std::getenv("HALYARD_FAKE_CUDA_DEVICES");
  return count == nullptr ? 1 : std::atoi(count);
}

int FakeCuda::CapabilityByDefault() {
  const char* capability = std::getenv("HALYARD_FAKE_CUDA_CAPABILITY");
  return capability == nullptr ? 90 : std::atoi(capability);
}

namespace fake_driver {
namespace {

CUresult ResultOf(ptx::Outcome outcome) {
  switch (outcome) {
    case ptx::Outcome::kDone:
      return CUDA_SUCCESS;
    case ptx::Outcome::kBadLaunch:
      return CUDA_ERROR_INVALID_VALUE;
    case ptx::Outcome::kBadAddress:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case ptx::Outcome::kMisaligned:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case ptx::Outcome::kEndless:
      return CUDA_ERROR_LAUNCH_TIMEOUT;
    case ptx::Outcome::kFailed:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
  return CUDA_ERROR_UNKNOWN;
}

// Appends to a message with "line 12" the text of that line. For debugging, writes the whole text
// to the file that $HALYARD_FAKE_CUDA_DUMP names.
std::string WithText(const std::string& message, const std::string& text) {
  if (const char* path = std::getenv("HALYARD_FAKE_CUDA_DUMP")) {
    std::ofstream(path) << "// " << message << "\n" << text;
  }
  const size_t at = message.find("line ");
  if (at == std::string::npos) return message;
  std::istringstream lines(text);
  std::string line;
  for (int i = std::atoi(message.c_str() + at + 5); i > 0; --i) std::getline(lines, line);
  const size_t begin = line.find_first_not_of(" \t");
  return begin == std::string::npos ? message : message + " [" + line.substr(begin) + "]";
}

void Break(CUcontext context, const std::string& message, CUresult result) {
  Violation(message);
  std::fprintf(stderr, "fake CUDA driver: %s\n", message.c_str());
  if (context != nullptr) context->sticky = result;
  DropWork();
}

// A compiler that has lost a value leaves a register that is read and never written.
std::string Unwritten(const ptx::Module& module) {
  for (const auto& [name, function] : module.functions) {
    if (!function.unwritten.empty())
      return name + " reads " + function.unwritten + ", which nothing writes";
  }
  return "";
}

}  // namespace

CUresult Decode(CUmod_st* module, char* log, size_t log_bytes) {
  std::string error;
  CUresult result = CUDA_ERROR_INVALID_PTX;
  if (!module->is_text) {
    error =
        "the fake driver runs PTX only: set HALYARD_PTXAS to nothing, so that kernels stay text";
    result = CUDA_ERROR_INVALID_IMAGE;
  } else {
    module->code = ptx::ParseModule(module->text, &error);
    if (module->code != nullptr) error = Unwritten(*module->code);
    if (error.empty()) return CUDA_SUCCESS;
    error = WithText(error, module->text);
  }
  if (log != nullptr && log_bytes > 0) std::snprintf(log, log_bytes, "%s", error.c_str());
  return result;
}

void Interpret(const FakeLaunch& launch, ptx::Footprint* footprint) {
  Driver& d = D();
  const CUmod_st& module = *launch.function->module;
  if (module.code == nullptr) return Violation("a kernel whose text was never decoded");
  const ptx::Function& function = module.code->functions.at(launch.entry);
  ptx::Launch run;
  std::memcpy(run.grid, launch.grid, sizeof(run.grid));
  std::memcpy(run.block, launch.block, sizeof(run.block));
  run.shared_bytes = launch.shared_bytes;
  run.parameters.resize(function.parameter_bytes);
  for (size_t i = 0; i < function.parameters.size() && i < launch.parameters.size(); ++i) {
    std::memcpy(run.parameters.data() + function.parameters[i].offset, launch.parameters[i].data(),
                std::min<size_t>(function.parameters[i].bytes, launch.parameters[i].size()));
  }
  std::vector<std::pair<uint64_t, uint64_t>> memory;
  for (const auto* all : {&d.device_memory, &d.host_memory}) {
    for (const auto& [address, its] : *all) {
      if (its.context == module.context) memory.emplace_back(address, its.bytes);
    }
  }
  ptx::RunOptions options;
  options.check_races = d.fake.check_races;
  options.block_order = d.fake.block_order;
  std::string message;
  const ptx::Outcome outcome =
      ptx::RunGrid(*module.code, function, run, memory, options, &message, footprint);
  if (outcome == ptx::Outcome::kDone) return;
  Break(module.context, WithText(message, module.text), ResultOf(outcome));
}

void CheckOrder(const std::vector<CUgraphNode_st>& nodes,
                const std::vector<ptx::Footprint>& accessed) {
  const auto name = [&](size_t i) {
    const bool kernel = nodes[i].kind == CUgraphNode_st::Kind::kKernel;
    return "node " + std::to_string(i) + (kernel ? " (" + nodes[i].launch.entry + ")" : "");
  };
  std::vector<std::vector<bool>> ordered(nodes.size());  // [i][j]: j runs before i
  for (size_t i = 0; i < nodes.size(); ++i) {
    ordered[i].resize(i);
    for (size_t before : nodes[i].before) {
      ordered[i][before] = true;
      for (size_t j = 0; j < before; ++j) {
        if (ordered[before][j]) ordered[i][j] = true;
      }
    }
    for (size_t j = 0; j < i; ++j) {
      if (ordered[i][j]) continue;
      const uint64_t at = ptx::FindConflict(accessed[i], accessed[j]);
      if (at == 0) continue;
      char address[32];
      std::snprintf(address, sizeof(address), "0x%llx", static_cast<unsigned long long>(at));
      return Break(Current(),
                   "a graph does not order its " + name(j) + " and " + name(i) +
                       ", which both access " + address,
                   CUDA_ERROR_LAUNCH_FAILED);
    }
  }
}

}  // namespace fake_driver
}  // namespace halyard::testing
