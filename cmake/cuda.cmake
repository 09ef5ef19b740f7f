# SPDX-License-Identifier: Apache-2.0
# Kernels of our own (src/**/*.cu), where a CUDA compiler is found and libtorch has CUDA. Elsewhere everything is built without them, and
# what needs them says so. CMAKE_CUDA_ARCHITECTURES is 90 (H100, H200) unless given; CMAKE_CUDA_COMPILER or CUDACXX name a compiler that
# is not on the PATH.
set(HELIO_CUDA_KERNELS OFF)
if(TARGET helio_torch)
  get_target_property(definitions helio_torch INTERFACE_COMPILE_DEFINITIONS)
  if("HELIO_CUDA" IN_LIST definitions)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 90)
    endif()
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
      find_program(HELIO_NVCC nvcc HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin)
      if(HELIO_NVCC)
        set(CMAKE_CUDA_COMPILER ${HELIO_NVCC})
      endif()
    endif()
    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      enable_language(CUDA)
      set(HELIO_CUDA_KERNELS ON)
    else()
      message(STATUS "No CUDA compiler was found: helio-train is built without kernels of its own")
    endif()
  endif()
endif()

# The kernels of a room, as part of its library.
function(helio_cuda_kernels room)
  if(NOT HELIO_CUDA_KERNELS)
    return()
  endif()
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cu)
  add_library(helio_${room}_kernels OBJECT ${kernels})
  target_include_directories(helio_${room}_kernels PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # COMPILE_OPTIONS replace those of the directory: warnings are asked for in another language than nvcc's. The standard is one of
  # them because older CMakes do not know that newer compilers have it.
  set_target_properties(helio_${room}_kernels PROPERTIES COMPILE_OPTIONS "-std=c++20" CUDA_RUNTIME_LIBRARY Shared
                                                         POSITION_INDEPENDENT_CODE ON)
  target_sources(helio_${room} PRIVATE $<TARGET_OBJECTS:helio_${room}_kernels>)
  target_compile_definitions(helio_${room} PUBLIC HELIO_CUDA_KERNELS)
endfunction()
