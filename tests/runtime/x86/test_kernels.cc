#include "tests/runtime/x86/test_kernels.h"

#include <Halide.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "codegen/x86/elf_rewrite.h"
#include "runtime/program/program_spec.h"

namespace halyard::testing {
namespace {

runtime::KernelArgument Describe(const Halide::Type& type, const std::vector<int32_t>& extents) {
  runtime::KernelArgument argument;
  argument.type_code = static_cast<uint8_t>(type.code());
  argument.type_bits = static_cast<uint8_t>(type.bits());
  argument.rank = static_cast<uint8_t>(extents.size());
  int32_t stride = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    argument.extent[d] = extents[d];
    argument.stride[d] = stride;
    stride *= extents[d];
  }
  argument.bytes = static_cast<uint64_t>(stride) * type.bytes();
  return argument;
}

template <typename Parameter>
void FixExtents(Parameter& parameter, const std::vector<int32_t>& extents) {
  int32_t stride = 1;
  for (size_t d = 0; d < extents.size(); ++d) {
    parameter.dim(d).set_bounds(0, extents[d]).set_stride(stride);
    stride *= extents[d];
  }
}

}  // namespace

std::string MakeKernel(const std::string& name, Halide::Func function,
                       std::vector<Halide::ImageParam> inputs,
                       const std::vector<std::vector<int32_t>>& input_extents,
                       const std::vector<int32_t>& output_extents, uint64_t scratch_bytes,
                       uint64_t scratch_bytes_per_task) {
  KernelObjectSpec spec;
  spec.name = name;
  spec.num_inputs = static_cast<uint32_t>(inputs.size());
  spec.num_outputs = 1;
  spec.scratch_bytes = scratch_bytes;
  spec.scratch_bytes_per_task = scratch_bytes_per_task;
  std::vector<Halide::Argument> arguments;
  for (size_t i = 0; i < inputs.size(); ++i) {
    FixExtents(inputs[i], input_extents[i]);
    spec.arguments.push_back(Describe(inputs[i].type(), input_extents[i]));
    arguments.push_back(inputs[i]);
  }
  Halide::OutputImageParam output = function.output_buffer();
  FixExtents(output, output_extents);
  spec.arguments.push_back(Describe(function.type(), output_extents));

  char path[] = "/tmp/halyard_kernel_XXXXXX";
  close(mkstemp(path));
  function.compile_to_object(path, arguments, name,
                             Halide::Target("x86-64-linux-no_runtime-no_asserts-no_bounds_query"));
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  remove(path);
  auto object = lowering::RewriteSymbols(bytes.str(), name + "_argv", name);
  if (!object.ok()) {
    fprintf(stderr, "%s\n", object.status().ToString().c_str());
    abort();
  }
  spec.x86_object = *object;
  return WriteKernelObject(spec);
}

std::string MultiplyAddKernel(const std::string& name, int32_t n, float scale) {
  Halide::Var x("x"), block("block");
  Halide::ImageParam a(Halide::Float(32), 1), b(Halide::Float(32), 1);
  Halide::Func f("f");
  f(x) = a(x) * scale + b(x);
  if (n % 64 == 0) f.split(x, block, x, 64).parallel(block).vectorize(x, 4);
  return MakeKernel(name, f, {a, b}, {{n}, {n}}, {n});
}

std::string RoundedUpKernel(const std::string& name, int32_t n) {
  Halide::Var x("x");
  Halide::ImageParam a(Halide::Float(32), 1);
  Halide::Func f("f");
  const Halide::Expr number = Halide::cast<float>(x);
  f(x) = Halide::select(a(x) < 0.0f, -number, number);
  f.vectorize(x, 8, Halide::TailStrategy::RoundUp);
  return MakeKernel(name, f, {a}, {{n}}, {n});
}

std::string LessThanKernel(const std::string& name, int32_t limit) {
  Halide::ImageParam a(Halide::Int(32), 0);
  Halide::Func f("f");
  f() = Halide::cast<uint8_t>(a() < limit);
  return MakeKernel(name, f, {a}, {{}}, {});
}

std::string IncrementKernel(const std::string& name, int32_t step) {
  Halide::ImageParam a(Halide::Int(32), 0);
  Halide::Func f("f");
  f() = a() + step;
  return MakeKernel(name, f, {a}, {{}}, {});
}

}  // namespace halyard::testing
