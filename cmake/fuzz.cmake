# SPDX-License-Identifier: Apache-2.0
# Each tests/fuzz/fuzz_NAME.c twice: over its seeds in tests/fuzz/corpus/NAME, which must stay clean,
# and then on from them for a while. What libFuzzer finds goes into the build folder.

set(MUSTER_FUZZ_SECONDS 5 CACHE STRING "Seconds that each fuzzer runs")
math(EXPR fuzz_timeout "${MUSTER_FUZZ_SECONDS} + 60")

# add_fuzz_test(KIND NAME ARGUMENT...)
function(add_fuzz_test kind name)
  set(test ${MUSTER_TEST_PREFIX}${kind}.${name})
  add_test(NAME ${test} COMMAND fuzz_${name} ${ARGN} -rss_limit_mb=512 -malloc_limit_mb=80 -timeout=10
           WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz/${name})
  set_tests_properties(${test} PROPERTIES LABELS ${kind} TIMEOUT ${fuzz_timeout})
endfunction()

add_custom_target(fuzzers)

file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source ${sources})
  cmake_path(GET source STEM program)
  string(REPLACE "fuzz_" "" name ${program})
  add_executable(${program} ${source})
  add_dependencies(fuzzers ${program})
  target_link_options(${program} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${program} PRIVATE muster_cli muster_static muster_flags)

  set(seeds ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz/${name}/found)
  add_fuzz_test(replay ${name} -runs=0 ${seeds})
  # New inputs are written to the first folder only.
  add_fuzz_test(explore ${name} -max_total_time=${MUSTER_FUZZ_SECONDS} found ${seeds})
endforeach()
