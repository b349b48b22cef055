# SPDX-License-Identifier: Apache-2.0
# Sanitizers, fuzzing and coverage: flags that everything must be compiled and linked with alike.

if(MUSTER_FUZZERS)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "MUSTER_FUZZERS needs clang")
  endif()
  set(MUSTER_SANITIZE address,undefined)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

if(MUSTER_SANITIZE)
  set(flags -fsanitize=${MUSTER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${flags})
  add_link_options(${flags})
endif()

if(MUSTER_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic) # several threads count
  add_link_options(--coverage)
endif()
