# SPDX-License-Identifier: Apache-2.0
# Headers of libraries that nearly every file includes, compiled once per set of options instead of once per file: a second of the two to five
# that a file takes. What few files use stays out: templates that a header asks for are instantiated in every file again (0.45 s for
# <nlohmann/json.hpp>, 0.2 s for <rapidcheck.h>). Our own headers are not among them, so that a change to one rebuilds only who includes
# it. A file still includes what it uses: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without.
set(helio_common_headers
    <algorithm> <array> <bit> <cassert> <cmath> <compare> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring> <deque> <functional>
    <iterator> <limits> <map> <memory> <numbers> <numeric> <optional> <queue> <set> <span> <stdexcept> <string> <string_view> <tuple>
    <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>)

# The target NAME holds them for targets with the same OPTIONS: target_precompile_headers(... REUSE_FROM NAME).
function(helio_headers name)
  cmake_parse_arguments(HEADERS "" "" "OPTIONS;HEADERS;LIBRARIES" ${ARGN})
  set(empty ${PROJECT_BINARY_DIR}/empty.cpp)
  if(NOT EXISTS ${empty})
    file(WRITE ${empty} "")
  endif()
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${empty})
  target_compile_options(${name} PRIVATE ${HEADERS_OPTIONS})
  target_link_libraries(${name} PRIVATE fmt::fmt ${HEADERS_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${helio_common_headers} ${HEADERS_HEADERS})
endfunction()

# Rooms where time is spent are compiled at the level of the build type. Text, pages and tests are read by people, who do not see -O3: a
# release build gives them -O1, a quarter less to compile. No option here may change a floating-point result.
set(helio_plain_options $<$<CONFIG:Release>:-O1>)
helio_headers(helio_fast_headers)
helio_headers(helio_plain_headers OPTIONS ${helio_plain_options})
if(NOT HELIO_GPU_BUILD)
  helio_headers(helio_json_headers OPTIONS ${helio_plain_options} HEADERS <nlohmann/json.hpp> LIBRARIES nlohmann_json::nlohmann_json)
endif()

# TARGET is no place where time is spent; JSON: most of its files know figures or write JSON.
function(helio_plain target)
  target_compile_options(${target} PRIVATE ${helio_plain_options})
  if("JSON" IN_LIST ARGN)
    target_precompile_headers(${target} REUSE_FROM helio_json_headers)
  else()
    target_precompile_headers(${target} REUSE_FROM helio_plain_headers)
  endif()
endfunction()
