#include "tests/lowering/plan/plan_interpreter.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "lowering/kernels/kernel_form.h"
#include "lowering/kernels/kernel_request.h"

namespace halyard::lowering {
namespace {

using hlo::Literal;
using Step = ProgramSpec::Step;
using Bytes = std::vector<std::byte>;

constexpr std::byte kGarbage{0xA5};

class Interpreter {
 public:
  Interpreter(const ProgramSpec& spec, const InterpreterOptions& options) : spec_(spec) {
    arenas_[0].resize(spec.device_arena_bytes, kGarbage);
    arenas_[1].resize(spec.host_arena_bytes, kGarbage);
    for (const ProgramSpec::Value& value : spec.parameters) {
      parameters_.push_back(Bytes(value.bytes, kGarbage));
    }
    for (size_t i = 0; i < spec.results.size(); ++i) {
      results_.push_back(Bytes(spec.results[i].bytes, kGarbage));
      taken_.push_back(-1);
    }
    if (!options.donate) return;
    for (size_t i = 0; i < spec.parameters.size(); ++i) {
      if (int64_t r = spec.parameters[i].donated_to_result; r >= 0) {
        taken_[r] = static_cast<int64_t>(i);
      }
    }
  }

  absl::StatusOr<std::vector<Literal>> Run(absl::Span<const Literal> arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      // Neither array of a dimension of size 0 has an address.
      if (parameters_[i].empty()) continue;
      memcpy(parameters_[i].data(), arguments[i].bytes().data(), parameters_[i].size());
    }
    if (absl::Status s = RunSequence(0); !s.ok()) return s;
    std::vector<Literal> results;
    for (size_t i = 0; i < results_.size(); ++i) {
      const ProgramSpec::Value& value = spec_.results[i];
      if (value.element_type == "token") {
        results.push_back(Literal::Token());
        continue;
      }
      hlo::Shape shape =
          hlo::Shape::Array(*hlo::ElementTypeFromHloName(value.element_type), value.dims);
      results.push_back(
          Literal::FromBytes(shape, taken_[i] >= 0 ? parameters_[taken_[i]] : results_[i]));
    }
    return results;
  }

 private:
  const std::byte* Address(const ProgramSpec::Slice& slice) {
    const ProgramSpec::Allocation& a = spec_.allocations[slice.allocation];
    switch (a.kind) {
      case ProgramSpec::AllocationKind::kParameter:
        return parameters_[a.number].data() + slice.offset;
      case ProgramSpec::AllocationKind::kResult:
        return (taken_[a.number] >= 0 ? parameters_[taken_[a.number]] : results_[a.number]).data() +
               slice.offset;
      case ProgramSpec::AllocationKind::kConstant:
        return reinterpret_cast<const std::byte*>(spec_.constants[a.number].data) + slice.offset;
      case ProgramSpec::AllocationKind::kTemp:
        return arenas_[static_cast<int>(a.space)].data() + a.offset + slice.offset;
    }
    return nullptr;
  }
  std::byte* Writable(const ProgramSpec::Slice& slice) {
    return const_cast<std::byte*>(Address(slice));
  }

  absl::Status RunSequence(int32_t index) {
    for (const Step& step : spec_.sequences[index].steps) {
      if (absl::Status s = RunStep(step); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  absl::Status RunStep(const Step& step) {
    switch (step.kind) {
      case Step::Kind::kKernel:
        return RunKernel(step);
      case Step::Kind::kCopy:
        memmove(Writable(step.slices[1]), Address(step.slices[0]), step.slices[0].bytes);
        return absl::OkStatus();
      case Step::Kind::kWhile:
        for (int64_t i = 0; step.trip_count < 0 || i < step.trip_count; ++i) {
          if (step.trip_count < 0) {
            if (absl::Status s = RunSequence(step.sequences[0]); !s.ok()) return s;
            if (*Address(step.slices[0]) == std::byte{0}) break;
          }
          if (absl::Status s = RunSequence(step.sequences[1]); !s.ok()) return s;
        }
        return absl::OkStatus();
      case Step::Kind::kCase: {
        int32_t branch;
        memcpy(&branch, Address(step.slices[0]), sizeof(branch));
        int32_t last = static_cast<int32_t>(step.sequences.size()) - 1;
        if (branch < 0 || branch > last) branch = last;
        return RunSequence(step.sequences[branch]);
      }
      case Step::Kind::kCustomCall:
        return absl::UnimplementedError("custom call");
      default:
        return absl::UnimplementedError("communication between processes");
    }
  }

  struct Kernel {
    KernelRequest request;
    std::unique_ptr<hlo::Module> module;
  };

  absl::StatusOr<const Kernel*> KernelAt(int32_t index) {
    if (auto found = kernels_.find(index); found != kernels_.end()) return &found->second;
    absl::StatusOr<KernelRequest> request = KernelRequest::Parse(spec_.kernels[index].request);
    if (!request.ok()) return request.status();
    absl::StatusOr<std::unique_ptr<hlo::Module>> module =
        hlo_text::ParseModule(request->hlo, spec_.kernels[index].name);
    if (!module.ok()) {
      return absl::InternalError(absl::StrCat(module.status().ToString(), "\n", request->hlo));
    }
    if (absl::Status s = VerifyKernelForm(*(*module)->entry()); !s.ok()) return s;
    Kernel kernel{*std::move(request), *std::move(module)};
    return &kernels_.emplace(index, std::move(kernel)).first->second;
  }

  // Checks that outputs share memory with inputs and other outputs only where the request says so.
  absl::Status CheckSharing(const Step& step, const Kernel& kernel) {
    for (size_t o = step.num_inputs; o < step.slices.size(); ++o) {
      for (size_t i = 0; i < o; ++i) {
        const std::byte* output = Address(step.slices[o]);
        const std::byte* other = Address(step.slices[i]);
        if (output + step.slices[o].bytes <= other || other + step.slices[i].bytes <= output) {
          continue;
        }
        if (step.slices[o].bytes == 0 || step.slices[i].bytes == 0) continue;
        std::pair<int32_t, int32_t> pair(o - step.num_inputs, i);
        bool said = std::find(kernel.request.aliases.begin(), kernel.request.aliases.end(), pair) !=
                    kernel.request.aliases.end();
        if (output != other || !said) {
          return absl::InternalError(
              absl::StrCat("step ", step.label, " writes over argument ", i));
        }
      }
    }
    return absl::OkStatus();
  }

  absl::Status RunKernel(const Step& step) {
    absl::StatusOr<const Kernel*> kernel = KernelAt(step.kernel);
    if (!kernel.ok()) return kernel.status();
    if (absl::Status s = CheckSharing(step, **kernel); !s.ok()) return s;
    const hlo::Computation& entry = *(*kernel)->module->entry();
    if (entry.num_parameters() != step.num_inputs) {
      return absl::InternalError("number of kernel parameters");
    }
    std::vector<Literal> arguments;
    for (int32_t i = 0; i < step.num_inputs; ++i) {
      const hlo::Shape& shape = entry.parameters()[i]->shape;
      if (shape.ByteSize() != step.slices[i].bytes) {
        return absl::InternalError(absl::StrCat("size of argument ", i, " of ", step.label));
      }
      const std::byte* data = Address(step.slices[i]);
      arguments.push_back(Literal::FromBytes(shape, Bytes(data, data + shape.ByteSize())));
    }
    hlo::Evaluator evaluator;
    absl::StatusOr<Literal> value = evaluator.Run(*(*kernel)->module, arguments);
    if (!value.ok()) return value.status();
    std::vector<Literal> outputs =
        value->shape().IsTuple() ? value->elements() : std::vector<Literal>{*value};
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ProgramSpec::Slice& slice = step.slices[step.num_inputs + i];
      if (static_cast<int64_t>(outputs[i].bytes().size()) != slice.bytes) {
        return absl::InternalError(absl::StrCat("size of output ", i, " of ", step.label));
      }
      if (slice.bytes == 0) continue;
      memcpy(Writable(slice), outputs[i].bytes().data(), slice.bytes);
    }
    return absl::OkStatus();
  }

  const ProgramSpec& spec_;
  Bytes arenas_[2];
  std::vector<Bytes> parameters_, results_;
  std::vector<int64_t> taken_;
  std::map<int32_t, Kernel> kernels_;
};

}  // namespace

absl::StatusOr<std::vector<Literal>> InterpretPlan(const ProgramSpec& spec,
                                                   absl::Span<const Literal> arguments,
                                                   const InterpreterOptions& options) {
  return Interpreter(spec, options).Run(arguments);
}

}  // namespace halyard::lowering
