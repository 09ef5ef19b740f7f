# SPDX-License-Identifier: Apache-2.0
# libtorch as the target helio_torch, where it is: the Debian package, or the one at HELIO_TORCH_ROOT (a folder with include/ and
# lib/, such as the one that Python's torch package holds). Its own CMake files are not used: they look for a CUDA compiler, which
# nothing here needs. Where libtorch has CUDA, the target says so with HELIO_CUDA.
if(HELIO_TRAIN STREQUAL "OFF")
  return()
endif()
find_path(HELIO_TORCH_INCLUDE ATen/ATen.h HINTS ${HELIO_TORCH_ROOT}/include)
find_path(HELIO_TORCH_API_INCLUDE torch/version.h
          HINTS ${HELIO_TORCH_INCLUDE}/torch/csrc/api/include ${HELIO_TORCH_INCLUDE})
find_library(HELIO_TORCH_CPU torch_cpu HINTS ${HELIO_TORCH_ROOT}/lib)
find_library(HELIO_TORCH_C10 c10 HINTS ${HELIO_TORCH_ROOT}/lib)
if(NOT (HELIO_TORCH_INCLUDE AND HELIO_TORCH_API_INCLUDE AND HELIO_TORCH_CPU AND HELIO_TORCH_C10))
  if(HELIO_TRAIN STREQUAL "ON" OR HELIO_GPU_BUILD)
    message(FATAL_ERROR "libtorch was not found: install libtorch-dev, or say where it lies with HELIO_TORCH_ROOT")
  endif()
  message(STATUS "libtorch was not found: helio-train is left out")
  return()
endif()

add_library(helio_torch INTERFACE)
target_include_directories(helio_torch SYSTEM INTERFACE ${HELIO_TORCH_INCLUDE} ${HELIO_TORCH_API_INCLUDE})
target_link_libraries(helio_torch INTERFACE ${HELIO_TORCH_CPU} ${HELIO_TORCH_C10})
# Some builds bring an fmt of their own, which is then found first and is no library to link.
if(EXISTS ${HELIO_TORCH_INCLUDE}/fmt/format.h AND NOT EXISTS ${HELIO_TORCH_INCLUDE}/CLI/CLI.hpp)
  target_compile_definitions(helio_torch INTERFACE FMT_HEADER_ONLY)
endif()

find_library(HELIO_TORCH_CUDA torch_cuda HINTS ${HELIO_TORCH_ROOT}/lib)
find_library(HELIO_TORCH_C10_CUDA c10_cuda HINTS ${HELIO_TORCH_ROOT}/lib)
find_path(HELIO_CUDA_INCLUDE cuda_runtime_api.h HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES include)
find_library(HELIO_CUDA_RUNTIME cudart HINTS ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES lib64 lib)
if(HELIO_TORCH_CUDA AND HELIO_TORCH_C10_CUDA AND HELIO_CUDA_INCLUDE AND HELIO_CUDA_RUNTIME)
  target_compile_definitions(helio_torch INTERFACE HELIO_CUDA)
  target_include_directories(helio_torch SYSTEM INTERFACE ${HELIO_CUDA_INCLUDE})
  # The library registers its kernels when it is loaded; nothing calls it by name.
  target_link_libraries(helio_torch INTERFACE -Wl,--no-as-needed ${HELIO_TORCH_CUDA} -Wl,--as-needed
                                              ${HELIO_TORCH_C10_CUDA} ${HELIO_CUDA_RUNTIME})
endif()
