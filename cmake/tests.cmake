# SPDX-License-Identifier: Apache-2.0
# Every test file is one ctest entry, named PREFIX.ROOM.FILE and labelled with its room:
#
#   tests/unit/test_*.c                          cmocka, against the library and the command line
#   tests/fault/test_*.c                         cmocka, with allocations and I/O that can be made to fail
#   tests/gpu/test_*.c                           cmocka, against a CUDA driver of our own that checks each call
#   tests/{cli,rules,python,formats,gpu,install,style}/test_*.py   pytest
#   tests/doctor/test_*.py                       pytest, with cuPyNumeric in .venv-engine; else skipped
#   tests/engine/test_*.py                       pytest within a process of Legate, with 1 and 2 processors
#   tests/multirank/test_*.py                    pytest, with two ranks of cuPyNumeric in .venv-ranks; else skipped
#   tests/fuzz/fuzz_*.c                          libFuzzer, in builds with MUSTER_FUZZERS
#
# A sanitized build runs what says something new there: with `thread` the files named test_threads*,
# with `address,undefined` all that needs no library loaded into a plain Python.

set(MUSTER_TEST_PREFIX "" CACHE STRING "Put before the names of tests, to tell builds apart")
set(MUSTER_PYTHON ${PROJECT_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH "Python with tests/requirements.txt")

if(MUSTER_FUZZERS)
  include(cmake/fuzz.cmake)
  return()
endif()

pkg_check_modules(cmocka IMPORTED_TARGET cmocka)
if(NOT cmocka_FOUND OR NOT EXISTS ${MUSTER_PYTHON})
  message(STATUS "No tests: cmocka or ${MUSTER_PYTHON} is missing (tools/setup.sh test)")
  return()
endif()

set(wanted "test_*")
if(MUSTER_SANITIZE STREQUAL "thread")
  set(wanted "test_threads*")
endif()

# A failed allocation is NULL here too, as the library's contract has it.
set(test_environment
    MUSTER_SOURCE=${PROJECT_SOURCE_DIR}
    MUSTER_BUILD=${PROJECT_BINARY_DIR}
    MUSTER_PROGRAM=$<TARGET_FILE:muster>
    MUSTER_LIBRARY=$<TARGET_FILE:muster_shared>
    PYTHONDONTWRITEBYTECODE=1
    ASAN_OPTIONS=allocator_may_return_null=1
    LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.txt:print_suppressions=0
    UBSAN_OPTIONS=print_stacktrace=1)

# add_muster_test(ROOM NAME COMMAND...)
function(add_muster_test room name)
  set(test ${MUSTER_TEST_PREFIX}${room}.${name})
  add_test(NAME ${test} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
  set(labels ${room})
  if(name MATCHES "^test_threads")
    list(APPEND labels threads)
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT 300
                                          ENVIRONMENT "${test_environment}")
endfunction()

# add_c_tests(ROOM LIBRARY...): the libraries come before muster_flags, which names what they need.
function(add_c_tests room)
  file(GLOB sources CONFIGURE_DEPENDS tests/${room}/${wanted}.c)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    add_executable(${room}-${name} ${source})
    set_target_properties(${room}-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests/${room}
                                                     OUTPUT_NAME ${name})
    target_include_directories(${room}-${name} PRIVATE tests)
    target_link_libraries(${room}-${name} PRIVATE ${ARGN} muster_flags PkgConfig::cmocka)
    add_muster_test(${room} ${name} ${room}-${name})
  endforeach()
endfunction()

function(add_python_tests room)
  file(GLOB sources CONFIGURE_DEPENDS tests/${room}/${wanted}.py)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    add_muster_test(${room} ${name} ${MUSTER_PYTHON} -m pytest -q -rs -p no:cacheprovider
                    --rootdir=${PROJECT_SOURCE_DIR} ${source})
  endforeach()
endfunction()

# Programs that show tests in Python what goes on within the library.
file(GLOB sources CONFIGURE_DEPENDS tests/support/*.c)
list(FILTER sources EXCLUDE REGEX "no_gpu_driver|/fake_")
foreach(source ${sources})
  cmake_path(GET source STEM name)
  add_executable(support-${name} ${source})
  set_target_properties(support-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests/support
                                                   OUTPUT_NAME ${name})
  target_link_libraries(support-${name} PRIVATE muster_static muster_flags)
endforeach()

# What the library opens at run time, each with the path to give it.
foreach(fake cuda cufile)
  string(TOUPPER ${fake} name)
  add_library(support-fake_${fake} SHARED tests/support/fake_${fake}.c)
  set_target_properties(support-fake_${fake} PROPERTIES LIBRARY_OUTPUT_DIRECTORY tests/support
                                                        OUTPUT_NAME fake_${fake} C_VISIBILITY_PRESET default)
  target_include_directories(support-fake_${fake} PRIVATE tests)
  target_compile_definitions(support-fake_${fake}
                             INTERFACE FAKE_${name}="$<TARGET_FILE:support-fake_${fake}>")
  target_link_libraries(support-fake_${fake} PRIVATE muster_flags)
endforeach()
target_sources(support-fake_cuda PRIVATE tests/support/fake_queue.c)
target_link_libraries(support-fake_cufile PUBLIC support-fake_cuda)

add_c_tests(unit muster_cli muster_static)
add_c_tests(gpu muster_static support-fake_cufile)
add_python_tests(cli)
add_python_tests(rules)

# They say the same in every build, and most where memory is watched.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT MUSTER_SANITIZE STREQUAL "thread")
  # The files through which all allocations and system calls go, with faults that tests switch on; what
  # they define is not taken from the library then.
  add_library(muster_fault OBJECT src/base/alloc.c src/base/fault.c src/base/system.c)
  target_compile_definitions(muster_fault PUBLIC MST_FAULTS=1)
  target_link_libraries(muster_fault PRIVATE muster_flags)
  add_c_tests(fault muster_fault muster_cli muster_static support-fake_cufile)
endif()

if(NOT MUSTER_SANITIZE)
  set(MUSTER_FFI_PYTHON ${MUSTER_PYTHON})
  include(cmake/python.cmake)
  add_python_tests(python)
  add_python_tests(formats)
  add_python_tests(gpu)
  add_python_tests(install)
  add_python_tests(style)

  # In a folder of its own, so that only programs that are to run without a GPU find it.
  add_library(support-no_gpu_driver SHARED tests/support/no_gpu_driver.c)
  set_target_properties(support-no_gpu_driver PROPERTIES LIBRARY_OUTPUT_DIRECTORY tests/support/no_gpu
                                                         PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1
                                                         C_VISIBILITY_PRESET default)
  target_link_libraries(support-no_gpu_driver PRIVATE muster_flags)
  add_python_tests(doctor)
  set_tests_properties(
    ${MUSTER_TEST_PREFIX}doctor.test_doctor ${MUSTER_TEST_PREFIX}doctor.test_recipe_runs
    ${MUSTER_TEST_PREFIX}doctor.test_load_command
    PROPERTIES TIMEOUT 600 SKIP_REGULAR_EXPRESSION "SKIPPED .* cuPyNumeric is not installed")

  file(GLOB sources CONFIGURE_DEPENDS tests/engine/test_*.py)
  foreach(source ${sources})
    cmake_path(GET source STEM name)
    foreach(cpus 1 2)
      add_muster_test(engine ${name}_${cpus} ${PROJECT_SOURCE_DIR}/tests/support/engine.sh ${cpus} 1000 pytest
                      -q -rs -p no:cacheprovider --rootdir=${PROJECT_SOURCE_DIR} ${source})
      set_tests_properties(${MUSTER_TEST_PREFIX}engine.${name}_${cpus} PROPERTIES
                           TIMEOUT 600 SKIP_REGULAR_EXPRESSION "SKIPPED: cuPyNumeric is not installed")
    endforeach()
  endforeach()
  # Ranks wait for one another by turning in circles, so these get both processors.
  add_python_tests(multirank)
  set_tests_properties(
    ${MUSTER_TEST_PREFIX}multirank.test_ranks
    PROPERTIES TIMEOUT 1200 PROCESSORS 2 SKIP_REGULAR_EXPRESSION "SKIPPED .* several ranks cannot be run")
endif()
