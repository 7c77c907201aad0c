# The ring as a backend of torch.distributed: a Python package beside the executables, made for the torch of the
# interpreter that the tests run on.
include(GNUInstallDirs)
include(${PROJECT_SOURCE_DIR}/engine/InterpreterTorch.cmake)
execute_process(
    COMMAND ${interpreter} -c "import importlib.util as u, sysconfig as s
print(u.find_spec('torch').submodule_search_locations[0], s.get_path('include'), s.get_config_var('EXT_SUFFIX'), sep=';')"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
list(LENGTH found parts)
if(NOT parts EQUAL 3)
    message(STATUS "Without torch (RINGMASTER_PYTHON): the backend ring isn't built for Python")
    return()
endif()
list(GET found 0 torch)
list(GET found 1 python_headers)
list(GET found 2 suffix)
ringmaster_torch_version(${torch} torch_version)
if(NOT EXISTS ${python_headers}/Python.h OR NOT torch_version)
    message(STATUS "Without the headers of ${interpreter} or of its torch: the backend ring isn't built for Python")
    return()
endif()

# What is compiled for this torch.
function(ringmaster_torch target)
    target_link_libraries(${target} PRIVATE ringmaster_loaded_ring ringmaster_loaded_options)
    target_include_directories(${target} SYSTEM PRIVATE ${torch}/include ${torch}/include/torch/csrc/api/include)
    # The wheel is compiled so; without NDEBUG some of its classes have another layout.
    target_compile_definitions(${target} PRIVATE NDEBUG USE_C10D_GLOO _GLIBCXX_USE_CXX11_ABI=1)
    target_compile_options(${target} PRIVATE -O2 -Wno-conversion -Wno-shadow)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
        UNITY_BUILD ${RINGMASTER_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

add_library(ringmaster_ring_backend STATIC
    RingBackend.cpp RingOptions.cpp RingWork.cpp StoreKeyValue.cpp TensorBytes.cpp WorkQueue.cpp)
ringmaster_torch(ringmaster_ring_backend)

set(package ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ringmaster-ring)
add_library(ringmaster_ring_module MODULE RingModule.cpp)
ringmaster_torch(ringmaster_ring_module)
target_include_directories(ringmaster_ring_module SYSTEM PRIVATE ${python_headers})
target_link_libraries(ringmaster_ring_module PRIVATE ringmaster_ring_backend
    ${torch}/lib/libtorch_python.so ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
# No run path: torch's libraries are there when it is loaded, the user's own.
set_target_properties(ringmaster_ring_module PROPERTIES PREFIX "" OUTPUT_NAME _ring SUFFIX ${suffix}
    LIBRARY_OUTPUT_DIRECTORY ${package}/ringmaster_ring SKIP_BUILD_RPATH ON)
target_link_options(ringmaster_ring_module PRIVATE -Wl,--exclude-libs,ALL)

set(information ringmaster_ring-${PROJECT_VERSION}.dist-info)
configure_file(python/ringmaster_ring/__init__.py ${package}/ringmaster_ring/__init__.py COPYONLY)
configure_file(python/ringmaster_ring.dist-info/entry_points.txt ${package}/${information}/entry_points.txt COPYONLY)
configure_file(python/ringmaster_ring.dist-info/METADATA.in ${package}/${information}/METADATA @ONLY)
file(CONFIGURE OUTPUT ${package}/ringmaster_ring/_version.py CONTENT "torch = \"@torch_version@\"\n" @ONLY)

install(DIRECTORY ${package}/ DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster/ring COMPONENT torch
    PATTERN "__pycache__" EXCLUDE PATTERN "*.so" EXCLUDE)
install(TARGETS ringmaster_ring_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster/ring/ringmaster_ring COMPONENT torch)

# The workers of a sweep. gloo's headers are Debian's: the wheel has none.
find_path(gloo_headers gloo/context.h)
if(NOT gloo_headers)
    message(STATUS "Without gloo's headers (libgloo-dev): `ringmaster sweep` isn't built")
    return()
endif()
add_executable(ringmaster-sweep sweep/main.cpp sweep/Backends.cpp sweep/SweepBenchmark.cpp sweep/SweepExchange.cpp
    sweep/Options.cpp sweep/Reporter.cpp sweep/Sweep.cpp)
ringmaster_torch(ringmaster-sweep)
target_include_directories(ringmaster-sweep SYSTEM PRIVATE ${gloo_headers})
# CUDA's libraries are torch's own business: its run path finds them.
target_link_libraries(ringmaster-sweep PRIVATE ringmaster_ring_backend -Wl,--allow-shlib-undefined
    ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
# Installed it has none, and is told where torch is: the builder's folder could be anybody's elsewhere.
set_target_properties(ringmaster-sweep PROPERTIES BUILD_RPATH ${torch}/lib INSTALL_RPATH "")
install(TARGETS ringmaster-sweep RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster COMPONENT torch)

# nccl for them, wherever torch has it and CUDA's headers are: in the wheels beside torch, or in a toolkit.
get_filename_component(packages ${torch} DIRECTORY)
find_path(nccl_headers nccl.h HINTS ${packages}/nvidia/nccl/include /usr/local/cuda/include)
find_path(cuda_headers cuda_runtime_api.h HINTS ${packages}/nvidia/cu13/include /usr/local/cuda/include)
if(NOT EXISTS ${torch}/lib/libtorch_cuda.so OR NOT nccl_headers OR NOT cuda_headers)
    message(STATUS "Without CUDA in torch or its headers: `ringmaster sweep` does without nccl")
    return()
endif()
add_library(ringmaster-sweep-nccl MODULE sweep/NcclBackend.cpp)
ringmaster_torch(ringmaster-sweep-nccl)
target_include_directories(ringmaster-sweep-nccl SYSTEM PRIVATE ${nccl_headers} ${cuda_headers})
target_compile_definitions(ringmaster-sweep-nccl PRIVATE USE_C10D_NCCL)
target_link_libraries(ringmaster-sweep-nccl PRIVATE
    ${torch}/lib/libtorch_cuda.so ${torch}/lib/libc10_cuda.so ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
target_link_options(ringmaster-sweep-nccl PRIVATE -Wl,--allow-shlib-undefined)
set_target_properties(ringmaster-sweep-nccl PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    BUILD_RPATH ${torch}/lib INSTALL_RPATH "")
add_dependencies(ringmaster-sweep ringmaster-sweep-nccl)
install(TARGETS ringmaster-sweep-nccl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster COMPONENT torch)
