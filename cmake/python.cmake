# SPDX-License-Identifier: Apache-2.0
# The Python package, in python/ of the build folder: its modules, the declarations that are made from
# the public headers, and a link to the library. A wheel (pyproject.toml) holds the same, and the program.
#
# MUSTER_FFI_PYTHON is a Python with cffi.

set(package ${PROJECT_BINARY_DIR}/python/muster)
file(GLOB headers CONFIGURE_DEPENDS include/muster/*.h)
add_custom_command(
  OUTPUT ${package}/_ffi.py
  COMMAND ${MUSTER_FFI_PYTHON} ${PROJECT_SOURCE_DIR}/python/ffi.py ${PROJECT_SOURCE_DIR}/include
          ${package}/_ffi.py
  DEPENDS python/ffi.py ${headers}
  VERBATIM)
set(package_files ${package}/_ffi.py)

file(GLOB modules CONFIGURE_DEPENDS python/muster/*.py python/muster/py.typed)
foreach(module ${modules})
  cmake_path(GET module FILENAME name)
  add_custom_command(
    OUTPUT ${package}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${module} ${package}/${name}
    DEPENDS ${module}
    VERBATIM)
  list(APPEND package_files ${package}/${name})
endforeach()
add_custom_target(
  python_package ALL
  COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:muster_shared> ${package}/libmuster.so
  DEPENDS ${package_files} muster_shared
  VERBATIM)

if(SKBUILD)
  install(FILES ${package}/_ffi.py DESTINATION muster COMPONENT python)
  install(FILES $<TARGET_FILE:muster_shared> DESTINATION muster RENAME libmuster.so COMPONENT python)
  install(PROGRAMS $<TARGET_FILE:muster> DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
