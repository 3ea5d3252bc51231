# An application of its own: the digits in each form in which they can be compiled. C only.
cmake_minimum_required(VERSION 3.25)
project(App LANGUAGES C)
find_package(Halyard 0.1 REQUIRED COMPONENTS runtime compiler)

halyard_add_program(digits MODEL "${MODEL}" TARGETS x86:v2 vulkan)
halyard_add_program(digits_all MODEL "${MODEL}" TARGETS x86:v2 vulkan cuda:sm_80 EMIT static
  WEIGHTS file)
halyard_add_program(digits_so MODEL "${MODEL}" TARGETS x86:v2 vulkan EMIT shared)
halyard_add_program(digits_bundle MODEL "${MODEL}" TARGETS x86:v2 vulkan EMIT bundle)

foreach(pair "linked;digits" "linked_all;digits_all" "linked_so;digits_so")
  list(GET pair 0 app)
  list(GET pair 1 model)
  add_executable(${app} linked.c)
  target_link_libraries(${app} PRIVATE ${model})
  target_compile_definitions(${app} PRIVATE NAME=${model} "HEADER=\"${model}.h\"")
endforeach()
halyard_copy_weights(linked_all digits_all)

add_executable(chosen chosen.c)
target_link_libraries(chosen PRIVATE digits_all)

add_executable(loaded loaded.c)
target_link_libraries(loaded PRIVATE Halyard::vulkan)
get_target_property(file digits HALYARD_PROGRAM_FILES)
target_compile_definitions(loaded PRIVATE PROGRAM="${file}")
add_dependencies(loaded digits_files)

add_executable(bundled bundled.c)
target_link_libraries(bundled PRIVATE Halyard::runtime_shared digits_bundle)
