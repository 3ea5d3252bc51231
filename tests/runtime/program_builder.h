// Builds Programs by hand for tests.
#ifndef HALYARD_TESTS_RUNTIME_PROGRAM_BUILDER_H_
#define HALYARD_TESTS_RUNTIME_PROGRAM_BUILDER_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/program/program_spec.h"

namespace halyard::testing {

class ProgramBuilder {
 public:
  using Spec = ProgramSpec;
  using Slice = ProgramSpec::Slice;

  explicit ProgramBuilder(const std::string& name, size_t num_sequences = 1) {
    spec.name = name;
    spec.target = "x86";
    strcpy(spec.device.name, "x86-64-v1");
    spec.sequences.resize(num_sequences);
  }

  Slice Parameter(const std::string& type, std::vector<int64_t> dims, int64_t bytes,
                  int64_t donated_to = -1) {
    spec.parameters.push_back({"arg" + std::to_string(spec.parameters.size()),
                               type,
                               std::move(dims),
                               {},
                               bytes,
                               donated_to});
    return Add(Spec::AllocationKind::kParameter, static_cast<int64_t>(spec.parameters.size()) - 1,
               0, bytes);
  }
  Slice Result(const std::string& type, std::vector<int64_t> dims, int64_t bytes) {
    spec.results.push_back(
        {"out" + std::to_string(spec.results.size()), type, std::move(dims), {}, bytes, -1});
    return Add(Spec::AllocationKind::kResult, static_cast<int64_t>(spec.results.size()) - 1, 0,
               bytes);
  }
  Slice Constant(std::string data) {
    auto owned = std::make_shared<std::string>(std::move(data));
    const int64_t bytes = static_cast<int64_t>(owned->size());
    spec.constants.push_back({owned, reinterpret_cast<const uint8_t*>(owned->data()), bytes});
    return Add(Spec::AllocationKind::kConstant, static_cast<int64_t>(spec.constants.size()) - 1, 0,
               bytes);
  }
  Slice Temp(int64_t bytes, MemorySpace space = MemorySpace::kDevice) {
    int64_t& arena = space == MemorySpace::kHost ? spec.host_arena_bytes : spec.device_arena_bytes;
    const int64_t offset = arena;
    arena = (arena + bytes + 255) / 256 * 256;
    return Add(Spec::AllocationKind::kTemp, 0, offset, bytes, space);
  }
  int32_t Kernel(const std::string& object) {
    spec.kernels.push_back(
        {"kernel" + std::to_string(spec.kernels.size()), "here", MemorySpace::kDevice, "", object});
    return static_cast<int32_t>(spec.kernels.size()) - 1;
  }
  Spec::Step& Launch(size_t sequence, int32_t kernel, std::vector<Slice> inputs,
                     std::vector<Slice> outputs) {
    Spec::Step step;
    step.kernel = kernel;
    return Push(sequence, std::move(step), std::move(inputs), std::move(outputs));
  }
  Spec::Step& Copy(size_t sequence, Slice from, Slice to) {
    Spec::Step step;
    step.kind = Spec::Step::Kind::kCopy;
    return Push(sequence, std::move(step), {from}, {to});
  }
  Spec::Step& While(size_t sequence, Slice predicate, int32_t condition, int32_t body,
                    int64_t trip_count = -1) {
    Spec::Step step;
    step.kind = Spec::Step::Kind::kWhile;
    step.sequences = {condition, body};
    step.trip_count = trip_count;
    return Push(sequence, std::move(step), {predicate}, {});
  }
  Spec::Step& Case(size_t sequence, Slice index, std::vector<int32_t> branches) {
    Spec::Step step;
    step.kind = Spec::Step::Kind::kCase;
    step.sequences = std::move(branches);
    return Push(sequence, std::move(step), {index}, {});
  }
  Spec::Step& Call(size_t sequence, const std::string& target, std::vector<Slice> inputs,
                   std::vector<Slice> outputs) {
    Spec::Step step;
    step.kind = Spec::Step::Kind::kCustomCall;
    step.target = target;
    step.config = "config of " + target;
    return Push(sequence, std::move(step), std::move(inputs), std::move(outputs));
  }
  Spec::Step& Communicate(size_t sequence, Spec::Step::Kind kind, std::vector<int64_t> numbers,
                          std::vector<Slice> inputs, std::vector<Slice> outputs) {
    Spec::Step step;
    step.kind = kind;
    step.numbers = std::move(numbers);
    return Push(sequence, std::move(step), std::move(inputs), std::move(outputs));
  }
  std::string Write() const { return WriteProgram(spec); }

  ProgramSpec spec;

 private:
  Slice Add(Spec::AllocationKind kind, int64_t number, int64_t offset, int64_t bytes,
            MemorySpace space = MemorySpace::kDevice) {
    spec.allocations.push_back(
        {kind, space, number, offset, bytes, "a" + std::to_string(spec.allocations.size())});
    return {static_cast<int32_t>(spec.allocations.size()) - 1, 0, bytes};
  }
  Spec::Step& Push(size_t sequence, Spec::Step step, std::vector<Slice> inputs,
                   std::vector<Slice> outputs) {
    std::vector<Spec::Step>& steps = spec.sequences[sequence].steps;
    step.label = "step " + std::to_string(sequence) + "." + std::to_string(steps.size());
    step.num_inputs = static_cast<int32_t>(inputs.size());
    step.slices = std::move(inputs);
    step.slices.insert(step.slices.end(), outputs.begin(), outputs.end());
    steps.push_back(std::move(step));
    return steps.back();
  }
};

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_RUNTIME_PROGRAM_BUILDER_H_
