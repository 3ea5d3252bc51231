// save_programs FOLDER: compiles a few programs for x86 and for the device of the fake CUDA driver,
// and writes them as TARGET_NAME.program for tests/backend/saved_programs_test.cc. Under
// ThreadSanitizer only the runtime is instrumented, so the compiler must run in another process.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "client/devices/target.h"

namespace {

constexpr struct {
  const char* name;
  const char* text;
} kPrograms[] = {
    {"chain", R"(HloModule chain
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[20,30] parameter(0)
  y = f32[30,10] parameter(1)
  p = f32[20,10] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  s = f32[20] reduce(p, zero), dimensions={1}, to_apply=sum
  b = f32[20,10] broadcast(s), dimensions={0}
  q = f32[20,10] subtract(p, b)
  ROOT r = f32[10,20] transpose(q), dimensions={1,0}
})"},
    {"update", R"(HloModule update, input_output_alias={ {}: (0, {}, may-alias) }
ENTRY e {
  state = f32[1000] parameter(0)
  row = f32[10] parameter(1)
  i = s32[] constant(500)
  two = f32[1000] add(state, state)
  ROOT r = f32[1000] dynamic-update-slice(two, row, i)
})"},
    {"loop", R"(HloModule loop
cond { s = (f32[], f32[16]) parameter(0) t = f32[] get-tuple-element(s), index=0
  n = f32[] constant(50) ROOT r = pred[] compare(t, n), direction=LT }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
body { s = (f32[], f32[16]) parameter(0) x = f32[16] get-tuple-element(s), index=1
  one = f32[] constant(0.5) ones = f32[16] broadcast(one), dimensions={} y = f32[16] add(x, ones)
  zero = f32[] constant(0) t = f32[] reduce(y, zero), dimensions={0}, to_apply=sum
  ROOT r = (f32[], f32[16]) tuple(t, y) }
ENTRY e { x = f32[16] parameter(0) zero = f32[] constant(0) t = (f32[], f32[16]) tuple(zero, x)
  w = (f32[], f32[16]) while(t), condition=cond, body=body
  ROOT r = f32[16] get-tuple-element(w), index=1 })"},
};

bool Save(const std::string& folder, const char* target_name, const char* name, const char* text) {
  const auto module = halyard::ParseProgram(text, "p.hlo");
  const auto target = halyard::ParseTarget(target_name);
  if (!module.ok() || !target.ok()) {
    fprintf(stderr, "%s: %s %s\n", name, std::string(module.status().message()).c_str(),
            std::string(target.status().message()).c_str());
    return false;
  }
  halyard::ProgramCompiler compiler;
  compiler.client.target = target_name;
  compiler.client.use_cache = false;
  const auto spec = compiler.Compile(**module, *target);
  if (!spec.ok()) {
    fprintf(stderr, "%s: %s\n", name, std::string(spec.status().message()).c_str());
    return false;
  }
  std::ofstream file(folder + "/" + target_name + "_" + name + ".program", std::ios::binary);
  file << halyard::WriteProgram(*spec);
  return file.good();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: save_programs FOLDER\n");
    return 2;
  }
  setenv("HALYARD_LIBCUDA", HALYARD_FAKE_LIBCUDA, 1);
  setenv("HALYARD_PTXAS", "", 1);  // the fake driver runs PTX
  bool good = true;
  for (const char* target : {"x86", "cuda"}) {
    for (const auto& program : kPrograms) good &= Save(argv[1], target, program.name, program.text);
  }
  return good ? 0 : 1;
}
