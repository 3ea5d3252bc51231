# Compiles programs when an application is built.
#
#   halyard_add_program(NAME MODEL FILE [TARGETS target ...] [TUNING FILE] [OPTIONS option ...])
#
# Compiles MODEL (HLO or StableHLO) for each of TARGETS (default: x86:v3), and does so again if
# MODEL or TUNING changes. OPTIONS are those of `halyard compile`. For x86, NAME becomes a library
# to link with: NAME.h and libNAME.a, which contains the runtime. For every other target, this makes
# a program file for hy_program_load_file. The property HALYARD_PROGRAM_FILES of the target NAME
# lists these files, and linking with NAME ensures that they exist. TUNING is a tuning database;
# without it, no database is used, not even the user's own.
function(halyard_add_program name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MODEL;TUNING" "TARGETS;OPTIONS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "halyard_add_program(${name}): unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT ARG_MODEL)
    message(FATAL_ERROR "halyard_add_program(${name}): MODEL is missing")
  endif()
  if(NOT ARG_TARGETS)
    set(ARG_TARGETS x86:v3)
  endif()
  get_filename_component(model "${ARG_MODEL}" ABSOLUTE)
  set(depends "${model}" Halyard::halyard)
  set(tuning --no-tuning)
  if(ARG_TUNING)
    get_filename_component(database "${ARG_TUNING}" ABSOLUTE)
    set(tuning "--db=${database}")
    list(APPEND depends "${database}")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  file(MAKE_DIRECTORY "${folder}")
  set(library "")
  set(files "")
  foreach(target IN LISTS ARG_TARGETS)
    if(target MATCHES "^x86")
      set(library "${folder}/lib${name}.a")
    else()
      string(REPLACE ":" "-" file "${target}")
      list(APPEND files "${folder}/${name}.${file}.hyprog")
    endif()
  endforeach()
  set(outputs ${files})
  if(library)
    list(APPEND outputs "${library}" "${folder}/${name}.h")
  endif()
  list(JOIN ARG_TARGETS "," targets)
  add_custom_command(OUTPUT ${outputs}
    COMMAND Halyard::halyard ${tuning} compile "${model}" "--target=${targets}" "--name=${name}" -o
            "${folder}" ${ARG_OPTIONS}
    DEPENDS ${depends}
    COMMENT "Compiling ${name} for ${targets}" VERBATIM)
  add_custom_target(${name}_files ALL DEPENDS ${outputs})

  if(library)
    add_library(${name} STATIC IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES
      IMPORTED_LOCATION "${library}"
      INTERFACE_LINK_LIBRARIES "Threads::Threads;m")
  else()
    add_library(${name} INTERFACE IMPORTED GLOBAL)
  endif()
  set_target_properties(${name} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${folder}"
    HALYARD_PROGRAM_FILES "${files}")
  add_dependencies(${name} ${name}_files)
endfunction()
