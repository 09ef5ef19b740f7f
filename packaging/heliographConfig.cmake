# SPDX-License-Identifier: Apache-2.0
# find_package(heliograph) ─▶ heliograph::heliograph: the library of questions, headers such as <ask/experiment.h>.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(Eigen3 NO_MODULE)
find_dependency(tomlplusplus)
find_dependency(Threads)
get_filename_component(heliograph_libraries "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(heliograph_headers "${heliograph_libraries}/../../include/heliograph" ABSOLUTE)
if(NOT TARGET heliograph::heliograph)
  add_library(heliograph::heliograph STATIC IMPORTED)
  set_target_properties(heliograph::heliograph PROPERTIES
                        IMPORTED_LOCATION "${heliograph_libraries}/libheliograph.a"
                        INTERFACE_INCLUDE_DIRECTORIES "${heliograph_headers}"
                        INTERFACE_COMPILE_FEATURES cxx_std_20
                        INTERFACE_LINK_LIBRARIES "fmt::fmt;nlohmann_json::nlohmann_json;Eigen3::Eigen;tomlplusplus::tomlplusplus;Threads::Threads")
endif()
