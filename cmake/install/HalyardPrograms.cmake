# Compiles programs when an application is built.
#
#   halyard_add_program(NAME MODEL FILE [TARGETS target ...] [EMIT split|static|shared|bundle]
#                       [WEIGHTS embed|file] [TUNING FILE] [OPTIONS option ...])
#
# Compiles MODEL (HLO or StableHLO) for TARGETS (default: x86:v3), and does so again if MODEL,
# TUNING or the compiler changes. OPTIONS are more of those of `halyard compile`. TUNING is a tuning
# database; without it, no database is used, not even the user's own.
#
# EMIT says what becomes of the targets:
#   static, shared  the library NAME to link with, which holds all targets and the runtime
#                   (libNAME.a or libNAME.so, with NAME.h)
#   bundle          NAME.hybundle, with all targets, for hy_program_choose_file
#   split           (default) for x86, the static library NAME; for every other target, a program
#                   file for hy_program_load_file
# In any case, NAME is a target to link with: files that it does not contain then exist. Its property
# HALYARD_PROGRAM_FILES lists the bundle or the program files.
#
# With WEIGHTS file, the constants of a library lie in NAME.weights, which its property
# HALYARD_WEIGHTS_FILE names. An application looks for it in its own folder:
#
#   halyard_copy_weights(TARGET NAME ...)
#
# copies the weights of these programs beside the executable TARGET when that is built.
function(halyard_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MODEL;TUNING;EMIT;WEIGHTS" "TARGETS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "halyard_add_program(${name}): unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "halyard_add_program(${name}): MODEL is missing")
  endif()
  foreach(pair "EMIT;split;static;shared;bundle" "WEIGHTS;embed;file" "TARGETS;x86:v3")
    list(POP_FRONT pair key)
    list(GET pair 0 default)
    if(NOT ARG_${key})
      set(ARG_${key} "${default}")
    elseif(NOT key STREQUAL "TARGETS" AND NOT ARG_${key} IN_LIST pair)
      list(JOIN pair ", " known)
      message(FATAL_ERROR "halyard_add_program(${name}): ${key} is ${ARG_${key}}, not one of ${known}")
    endif()
  endforeach()
  get_filename_component(model "${ARG_MODEL}" ABSOLUTE)
  set(depends "${model}" "$<TARGET_FILE:Halyard::halyard>")
  set(tuning --no-tuning)
  if(ARG_TUNING)
    get_filename_component(database "${ARG_TUNING}" ABSOLUTE)
    set(tuning "--db=${database}")
    list(APPEND depends "${database}")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  file(MAKE_DIRECTORY "${folder}")
  set(library "")  # its suffix
  set(files "")
  if(ARG_EMIT STREQUAL "bundle")
    set(files "${folder}/${name}.hybundle")
  elseif(ARG_EMIT STREQUAL "static")
    set(library a)
  elseif(ARG_EMIT STREQUAL "shared")
    set(library so)
  else()
    foreach(target IN LISTS ARG_TARGETS)
      if(target MATCHES "^x86")
        set(library a)
      else()
        string(REGEX REPLACE "[:/]" "-" file "${target}")
        list(APPEND files "${folder}/${name}.${file}.hyprog")
      endif()
    endforeach()
  endif()
  set(outputs ${files})
  set(weights "")
  if(library)
    list(APPEND outputs "${folder}/lib${name}.${library}" "${folder}/${name}.h")
    if(ARG_WEIGHTS STREQUAL "file")
      set(weights "${folder}/${name}.weights")
      list(APPEND outputs "${weights}")
    endif()
  endif()
  list(JOIN ARG_TARGETS "," targets)
  add_custom_command(OUTPUT ${outputs}
    COMMAND Halyard::halyard ${tuning} compile "${model}" "--target=${targets}" "--name=${name}"
            "--emit=${ARG_EMIT}" "--weights=${ARG_WEIGHTS}" -o "${folder}" ${ARG_OPTIONS}
    DEPENDS ${depends}
    BYPRODUCTS "${folder}/${name}.manifest.json"
    COMMENT "Compiling ${name} for ${targets}" VERBATIM)
  add_custom_target(${name}_files ALL DEPENDS ${outputs})

  if(library STREQUAL "a")
    add_library(${name} STATIC IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES
      INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};m")
  elseif(library STREQUAL "so")
    add_library(${name} SHARED IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES IMPORTED_SONAME "lib${name}.so")
  else()
    add_library(${name} INTERFACE IMPORTED GLOBAL)
  endif()
  if(library)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION "${folder}/lib${name}.${library}")
  endif()
  set_target_properties(${name} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${folder}"
    HALYARD_PROGRAM_FILES "${files}"
    HALYARD_WEIGHTS_FILE "${weights}")
  add_dependencies(${name} ${name}_files)
endfunction()

function(halyard_copy_weights target)
  foreach(name IN LISTS ARGN)
    get_target_property(weights ${name} HALYARD_WEIGHTS_FILE)
    if(NOT weights)
      message(FATAL_ERROR "halyard_copy_weights(${target}): ${name} has no file of weights")
    endif()
    add_dependencies(${target} ${name}_files)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${weights}" "$<TARGET_FILE_DIR:${target}>"
      VERBATIM)
  endforeach()
endfunction()
