#include "tests/fuzz/bundle_programs.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/program/bundle/catalogue_spec.h"
#include "runtime/program/call_types.h"
#include "tests/runtime/kernel_argument.h"
#include "tests/runtime/program_builder.h"

namespace halyard {
namespace {

runtime::KernelArgument Scalar(uint8_t code, uint8_t bits) {
  runtime::KernelArgument a;
  a.type_code = code;
  a.type_bits = bits;
  a.bytes = bits / 8;
  return a;
}

// `code` is the object that holds the kernels, or "" for kernels that are linked.
std::string KernelObject(const std::string& name, std::vector<runtime::KernelArgument> arguments,
                         const std::string& code) {
  KernelObjectSpec spec;
  spec.name = name;
  spec.num_inputs = static_cast<uint32_t>(arguments.size()) - 1;
  spec.num_outputs = 1;
  spec.arguments = std::move(arguments);
  spec.x86_object = code;
  return WriteKernelObject(spec);
}

// Kernels in PTX, which the fake driver interprets: what bundle_kernels.c has.
std::string PtxObject(const std::string& name, std::vector<runtime::KernelArgument> arguments,
                      const std::string& body, uint32_t threads) {
  KernelObjectSpec spec;
  spec.kind = runtime::DeviceKind::kCuda;
  spec.name = name;
  spec.num_inputs = static_cast<uint32_t>(arguments.size()) - 1;
  spec.num_outputs = 1;
  KernelObjectSpec::LaunchSpec launch;
  launch.entry = name;
  launch.block[0] = threads;
  std::string parameters;
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    absl::StrAppend(&parameters, i == 0 ? "" : ",\n", "\t.param .u64 p", i);
    launch.arguments.push_back(
        {runtime::LaunchArgument::Kind::kBuffer, i, 0, arguments[i].bytes, 0});
  }
  spec.arguments = std::move(arguments);
  spec.launches = {launch};
  spec.modules = {absl::StrCat(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry ",
                               name, "(\n", parameters,
                               "\n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .f32 %f<4>;\n"
                               ".reg .b64 %rd<8>;\nld.param.u64 %rd0, [p0];\n"
                               "ld.param.u64 %rd1, [p1];\n",
                               body, "ret;\n}\n")};
  return WriteKernelObject(spec);
}

constexpr char kPtxScale[] =
    "ld.param.u64 %rd2, [p2];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd3, %r0, 4;\n"
    "add.s64 %rd0, %rd0, %rd3;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"
    "ld.global.f32 %f0, [%rd0];\nld.global.f32 %f1, [%rd1];\nadd.rn.f32 %f0, %f0, %f0;\n"
    "add.rn.f32 %f0, %f0, %f1;\nst.global.f32 [%rd2], %f0;\n";
constexpr char kPtxLess[] =
    "ld.global.u32 %r0, [%rd0];\nsetp.lt.s32 %p0, %r0, 5;\nselp.u32 %r1, 1, 0, %p0;\n"
    "st.global.u8 [%rd1], %r1;\n";
constexpr char kPtxIncrement[] =
    "ld.global.u32 %r0, [%rd0];\nadd.s32 %r0, %r0, 1;\nst.global.u32 [%rd1], %r0;\n";

// The three kernels of a program.
struct KernelObjects {
  std::string scale, less, increment;
};

KernelObjects X86Kernels(const std::string& code) {
  const auto f32 = testing::F32Argument(3, 2);
  return {KernelObject("hyk_scale", {f32, f32, f32}, code),
          KernelObject("hyk_less", {Scalar(0, 32), Scalar(1, 8)}, code),
          KernelObject("hyk_increment", {Scalar(0, 32), Scalar(0, 32)}, code)};
}

KernelObjects CudaKernels() {
  const auto f32 = testing::F32Argument(3, 2);
  return {PtxObject("hyk_scale", {f32, f32, f32}, kPtxScale, 6),
          PtxObject("hyk_less", {Scalar(0, 32), Scalar(1, 8)}, kPtxLess, 1),
          PtxObject("hyk_increment", {Scalar(0, 32), Scalar(0, 32)}, kPtxIncrement, 1)};
}

// Loops of both kinds, a branch, copies and kernels; y = x scaled and added to weights until n + 1
// is 5 and ten times more, and count = the number that n reached. On a GPU, what decides goes to
// the host by copies.
ProgramSpec Everything(const std::string& target, const KernelObjects& objects) {
  testing::ProgramBuilder b("damaged", 6);
  b.spec.target = target;
  const int32_t scale = b.Kernel(objects.scale), less = b.Kernel(objects.less),
                increment = b.Kernel(objects.increment);
  const auto x = b.Parameter("f32", {2, 3}, 24, 0), n = b.Parameter("s32", {}, 4);
  b.Parameter("pred", {4}, 4);
  const auto y = b.Result("f32", {2, 3}, 24), count = b.Result("s32", {}, 4);
  b.spec.results[0].minor_to_major = {1, 0};
  const auto weights = b.Constant(std::string(24, '\0'));
  b.Constant(std::string(1000, 'w'));
  const auto sum = b.Temp(24), counter = b.Temp(4), less_than = b.Temp(1), branch = b.Temp(4),
             predicate = b.Temp(1, MemorySpace::kHost), index = b.Temp(4, MemorySpace::kHost);
  b.Launch(0, scale, {x, weights}, {sum});
  b.Copy(0, n, counter);
  b.While(0, predicate, 1, 2);
  b.Launch(0, increment, {n}, {branch});
  b.Copy(0, branch, index);
  const int64_t s32 = runtime::CallTypeNumber("s32", 3);
  b.Call(0, "copy_all", {index}, {index}).numbers = {s32, 0, s32, 0};
  b.Case(0, index, {3, 4});
  b.While(0, {}, 5, 5, 10).slices.clear();
  b.spec.sequences[0].steps.back().num_inputs = 0;
  b.Copy(0, sum, y);
  b.Copy(0, counter, count);
  b.Launch(1, less, {counter}, {less_than});
  b.Copy(1, less_than, predicate);
  b.Launch(2, increment, {counter}, {counter});
  b.Copy(3, weights, sum);
  b.Launch(4, scale, {sum, weights}, {sum});
  b.Launch(5, scale, {sum, weights}, {sum});
  return b.spec;
}

ProgramSpec OnGpu(runtime::DeviceKind kind, const std::string& target) {
  ProgramSpec spec = Everything(target, CudaKernels());
  spec.device.kind = kind;
  if (kind == runtime::DeviceKind::kCuda) spec.device.cuda_capability = 80;
  return spec;
}

struct TargetOfBundle {
  const char* name;
  bool cuda;
};

// y = 8 * x + weights on f32[rows, columns], and count = size + 1. `sizes` scalars follow x, and
// the last of them is the size.
ProgramSpec SizedProgram(const TargetOfBundle& target, const std::string& code, int rows,
                         int columns, int sizes) {
  testing::ProgramBuilder b("sized", 3);
  b.spec.target = target.name;
  if (target.cuda) {
    b.spec.device.kind = runtime::DeviceKind::kCuda;
    b.spec.device.cuda_capability = 80;
  }
  if (std::string(target.name) == "x86:v2") b.spec.device.x86_features = runtime::kX86Sse41;
  const int64_t bytes = 4 * rows * columns;
  const auto f32 = testing::F32Argument(columns, rows);
  const uint32_t threads = static_cast<uint32_t>(rows * columns);
  const int32_t scale =
      b.Kernel(target.cuda ? PtxObject("hyk_scale", {f32, f32, f32}, kPtxScale, threads)
                           : KernelObject("hyk_scale", {f32, f32, f32}, code));
  const auto x = b.Parameter("f32", {rows, columns}, bytes);
  ProgramSpec::Slice size = {};
  for (int i = 0; i < sizes; ++i) size = b.Parameter("s32", {}, 4);
  const auto y = b.Result("f32", {rows, columns}, bytes);
  const auto weights = b.Constant(std::string(static_cast<size_t>(bytes), '\0')),
             sum = b.Temp(bytes);
  b.Launch(0, scale, {x, weights}, {sum});
  b.While(0, {}, 2, 1, 2).slices.clear();
  b.spec.sequences[0].steps.back().num_inputs = 0;
  b.Launch(1, scale, {sum, weights}, {sum});
  b.Copy(0, sum, y);
  if (sizes == 0) return b.spec;
  const auto count = b.Result("s32", {}, 4);
  const std::vector<runtime::KernelArgument> scalars = {Scalar(0, 32), Scalar(0, 32)};
  const int32_t increment =
      b.Kernel(target.cuda ? PtxObject("hyk_increment", scalars, kPtxIncrement, 1)
                           : KernelObject("hyk_increment", scalars, code));
  b.Launch(0, increment, {size}, {count});
  return b.spec;
}

CatalogueSpec::Size Linear(std::vector<int64_t> numbers) { return {std::move(numbers), {}}; }

// f32[n, 3] for n in 1..4, with programs for 2 and 4.
CatalogueSpec::Entry RowsEntry() {
  CatalogueSpec::Entry rows;
  rows.name = "rows";
  rows.variables = {{"n", 1, {2, 4}, false}};
  rows.arguments = {{Linear({0, 1}), Linear({3, 0})}};
  rows.results = {{Linear({0, 1}), Linear({3, 0})}, {}};
  return rows;
}

}  // namespace

std::vector<std::string> DamageableCatalogues(const std::string& code) {
  // f32[a, 3 * c] for a of 1 and 3, and c in 1..2. The columns are in a table.
  CatalogueSpec::Entry both;
  both.name = "both";
  both.variables = {{"a", 1, {1, 3}, true}, {"c", 1, {2}, false}};
  const CatalogueSpec::Size columns = {{}, {3, 6, 3, 6}};
  both.arguments = {{Linear({0, 1, 0}), columns}};
  both.results = {{Linear({0, 1, 0}), columns}, {}};
  CatalogueSpec::Entry plain;
  plain.name = "plain";
  plain.arguments = {{Linear({2}), Linear({3})}};
  plain.results = {{Linear({2}), Linear({3})}};

  CatalogueSpec all, one;
  all.num_targets = 3;
  all.entries = {RowsEntry(), both, plain};
  one.entries = {RowsEntry()};
  std::vector<ProgramSpec> parts;
  for (const TargetOfBundle& target :
       {TargetOfBundle{"x86:v1", false}, {"x86:v2", false}, {"cuda:sm_80", true}}) {
    for (const int rows : {2, 4}) parts.push_back(SizedProgram(target, code, rows, 3, 1));
    for (const int rows : {1, 3}) parts.push_back(SizedProgram(target, code, rows, 6, 2));
    parts.push_back(SizedProgram(target, code, 2, 3, 0));
  }
  return {WriteBundle(parts, all), WriteBundle({parts[0], parts[1]}, one)};
}

std::vector<std::string> DamageableBundles(const std::string& code) {
  std::vector<ProgramSpec> all = {Everything("x86:v1", X86Kernels(code)),
                                  Everything("x86:v2", X86Kernels(code)),
                                  OnGpu(runtime::DeviceKind::kCuda, "cuda:sm_80"),
                                  OnGpu(runtime::DeviceKind::kVulkan, "vulkan")};
  all[1].device.x86_features = runtime::kX86Sse41;
  const std::vector<ProgramSpec> two = {all[2], all[0]};
  return {WriteBundle(all), WriteBundle(two)};
}

}  // namespace halyard
