# cmake -DROOT=TREE -DOUT=FOLDER -P client_headers.cmake
#
# Writes the public headers of the C++ API to FOLDER: for each of `public`, a header of its name
# that includes impl/PATH, and there the header and all that it includes, by their paths in this
# tree. Includes of this tree become "halyard/impl/...", so that they cannot meet an application's
# own headers. What is there and has not changed keeps its time.
cmake_minimum_required(VERSION 3.25)
set(public
  client/api/client.h
  client/api/custom_call.h
  client/api/xla_client.h)

file(GLOB_RECURSE stale RELATIVE "${OUT}" "${OUT}/*")
function(write_header path text)
  if(EXISTS "${OUT}/${path}")
    file(READ "${OUT}/${path}" before)
    if(before STREQUAL text)
      return()
    endif()
  endif()
  file(WRITE "${OUT}/${path}" "${text}")
endfunction()

set(seen "")
set(waiting ${public})
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST seen)
    continue()
  endif()
  list(APPEND seen "${header}")
  list(REMOVE_ITEM stale "impl/${header}")
  file(READ "${ROOT}/${header}" text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"([^\"]+)\"" "\\1" path "${include}")
    if(EXISTS "${ROOT}/${path}")
      list(APPEND waiting "${path}")
      string(REPLACE "${include}" "#include \"halyard/impl/${path}\"" text "${text}")
    endif()
  endforeach()
  write_header("impl/${header}" "${text}")
endwhile()

foreach(header IN LISTS public)
  get_filename_component(name "${header}" NAME)
  list(REMOVE_ITEM stale "${name}")
  write_header("${name}" "#include \"halyard/impl/${header}\"\n")
endforeach()
foreach(path IN LISTS stale)
  file(REMOVE "${OUT}/${path}")
endforeach()
