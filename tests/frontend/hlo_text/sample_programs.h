// Programs that the tests of HLO text share.
#ifndef HALYARD_TESTS_FRONTEND_HLO_TEXT_SAMPLE_PROGRAMS_H_
#define HALYARD_TESTS_FRONTEND_HLO_TEXT_SAMPLE_PROGRAMS_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace halyard::hlo_text {

// Returns an entry with `body`, preceded by `before`.
inline std::string Program(absl::string_view body, absl::string_view before = "") {
  return absl::StrCat("HloModule test\n\n", before, "\nENTRY %main {\n", body, "}\n");
}

// A module that uses most of the syntax.
inline constexpr absl::string_view kEverything = R"(HloModule jit_f.3, is_scheduled=true,
  input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, must-alias) }, buffer_donor={ (2, {}) },
  entry_computation_layout={(f32[4,8]{1,0:T(8,128)(2,1)}, f32[4]{0}, f32[8]{0})->(f32[4,8]{1,0}, f32[4]{0})},
  allow_spmd_sharding_propagation_to_output={true}, num_partitions=2, replica_count=4

FileNames
1 "model.py"

FunctionNames
1 "<module>"

FileLocations
1 {file_name_id=1 function_name_id=1 line=11 end_line=11 column=23 end_column=57}

StackFrames
1 {file_location_id=1 parent_frame_id=1}

%add_f32 (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(f32[] %a, f32[] %b)
}

less {
  p0 = f32[] parameter(0)
  p1 = f32[] parameter(1)
  ROOT lt = pred[] compare(p0, p1), direction=LT, type=TOTALORDER
}

// A loop of seven steps.
cond {
  s.1 = (s32[], f32[4]{0}) parameter(0)
  n.1 = s32[] get-tuple-element(s.1), index=0
  seven = s32[] constant(7)
  ROOT more = pred[] compare(n.1, seven), direction=LT
}
body {
  s.2 = (s32[], f32[4]{0}) parameter(0)
  n.2 = s32[] get-tuple-element(s.2), index=0
  one = s32[] constant(1)
  next = s32[] add(n.2, one)
  v.2 = f32[4]{0} get-tuple-element(s.2), index=1
  ROOT t.2 = (s32[], f32[4]{0}) tuple(next, /*index=1*/v.2)
}, execution_thread="main"

ENTRY %main.3 (x: f32[4,8], y: f32[4], z: f32[8]) -> (f32[4,8], f32[4]) {
  %x = f32[4,8]{1,0:T(8,128)S(1)} parameter(0), sharding={devices=[2,1]0,1}, metadata={op_name="x"}
  %y = f32[4]{0} parameter(1), parameter_replication={false}
  %z = f32[8]{0} parameter(2)
  %zero = f32[] constant(0), origin={{"c"}}
  %wide = f32[4,8]{1,0} broadcast(%z), dimensions={1}, frontend_attributes={a="}",b="\"{"}
  %sum.1 = f32[4,8]{1,0} add(%x, %wide), metadata={op_type="add" op_name="jit(f)/add" source_file="a b.py" source_line=7 source_end_line=8 profile_type={1}}
  %rows = f32[4]{0} reduce(%sum.1, %zero), dimensions={1}, to_apply=%add_f32, metadata={op_name="jit(f)/sum" stack_frame_id=1}
  %sorted = f32[4]{0} sort(%rows), dimensions={0}, is_stable=true, to_apply=less, control-predecessors={%sum.1}
  %start = s32[] constant(0)
  %init = (s32[], f32[4]{0}) tuple(%start, %sorted)
  %loop = (s32[], f32[4]{0}) while(%init), condition=cond, body=body, backend_config={"known_trip_count":{"n":"7"},"x":[1]}
  %v = f32[4]{0} get-tuple-element(%loop), index=1
  %call = f32[4]{0} custom-call(%v, %y), custom_call_target="my\"target", operand_layout_constraints={f32[4]{0}, f32[4]{0}}, api_version=API_VERSION_TYPED_FFI, backend_config={uplo = 76 : ui8}
  ROOT %result = (f32[4,8]{1,0}, f32[4]{0}) tuple(%sum.1, %call)
}
)";

}  // namespace halyard::hlo_text

#endif  // HALYARD_TESTS_FRONTEND_HLO_TEXT_SAMPLE_PROGRAMS_H_
