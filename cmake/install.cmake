# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` lays down. No path in it is absolute, so the tree may be moved afterwards.
include(CMakePackageConfigHelpers)

install(
  TARGETS muster_shared muster_static
  EXPORT musterTargets
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS muster)
install(DIRECTORY include/muster DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# Manual pages and completion are printed by the program itself, by the tables of its options.
file(STRINGS src/cli/commands.def rows REGEX "^COMMAND")
list(TRANSFORM rows REPLACE "COMMAND.([a-z]+).*" "\\1" OUTPUT_VARIABLE commands)
set(made ${PROJECT_BINARY_DIR}/share)
set(printed)
# print(FILE ARGUMENT...): made/FILE is what the program prints.
function(print file)
  add_custom_command(
    OUTPUT ${made}/${file}
    COMMAND $<TARGET_FILE:muster> ${ARGN} > ${made}/${file}
    DEPENDS muster
    VERBATIM)
  set(printed ${printed} ${made}/${file} PARENT_SCOPE)
  # By its name, so that one that was not built is missed.
  cmake_path(GET file PARENT_PATH folder)
  install(FILES ${made}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()
set(man_dir man/man1)
set(bash_dir bash-completion/completions)
set(zsh_dir zsh/site-functions)
set(fish_dir fish/vendor_completions.d)
if(NOT CMAKE_CROSSCOMPILING AND NOT MUSTER_SANITIZE)
  foreach(dir man bash zsh fish)
    file(MAKE_DIRECTORY ${made}/${${dir}_dir})
  endforeach()
  print(${man_dir}/muster.1 man)
  foreach(command ${commands})
    print(${man_dir}/muster-${command}.1 man ${command})
  endforeach()
  print(${bash_dir}/muster completion bash)
  print(${zsh_dir}/_muster completion zsh)
  print(${fish_dir}/muster.fish completion fish)
endif()
add_custom_target(printed ALL DEPENDS ${printed})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/muster)
install(EXPORT musterTargets NAMESPACE muster:: DESTINATION ${package_dir})
configure_package_config_file(cmake/musterConfig.cmake.in musterConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(musterConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/musterConfig.cmake ${PROJECT_BINARY_DIR}/musterConfigVersion.cmake
        DESTINATION ${package_dir})

set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix ${pc_dir} ${CMAKE_INSTALL_PREFIX})
set(muster_optional_libs)
foreach(optional ${muster_optional_deps})
  list(JOIN ${optional}_LDFLAGS " " flags)
  string(APPEND muster_optional_libs "${flags} ")
endforeach()
if(BZip2_FOUND)
  string(APPEND muster_optional_libs "-lbz2 ")
endif()
if(blosc_FOUND) # whose own file does not say what it stands on
  string(APPEND muster_optional_libs "-lsnappy -lstdc++ ")
endif()
configure_file(cmake/muster.pc.in muster.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/muster.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
