# The ring as a backend of torch.distributed: a Python package beside the executables, with an object for each torch
# that there are headers of.
include(GNUInstallDirs)
include(${PROJECT_SOURCE_DIR}/engine/InterpreterTorch.cmake)
add_custom_target(ringmaster_ring_module)
ringmaster_torches(torches)
if(NOT torches)
    message(STATUS "Without torch's headers (RINGMASTER_TORCH): the backend ring isn't built")
    return()
endif()

# What is compiled for the torch in that folder, with `ring`.
function(ringmaster_torch target torch ring)
    target_link_libraries(${target} PRIVATE ${ring} ringmaster_loaded_options)
    ringmaster_for_torch(${target} ${torch})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${RINGMASTER_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

set(ring_sources RingBackend.cpp RingOptions.cpp RingWork.cpp StoreKeyValue.cpp TensorBytes.cpp WorkQueue.cpp)
foreach(torch ${torches})
    ringmaster_torch_identity(${torch} its)
    if(NOT its_abi)
        continue() # the ring itself is compiled for the ABI of its time
    endif()
    set(target ringmaster_ring_${its_version})
    add_library(${target} MODULE ${ring_sources} RingRegistration.cpp)
    ringmaster_torch(${target} ${torch} ringmaster-ring)
    target_link_libraries(${target} PRIVATE ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
    # No run path: torch's libraries are there when it is loaded, the user's own, and the ring.
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME torch-${its_version}
        LIBRARY_OUTPUT_DIRECTORY ${package}/ringmaster_ring SKIP_BUILD_RPATH ON)
    # All that it takes from them is looked up here, not first where it is loaded.
    target_link_options(${target} PRIVATE -Wl,-z,defs)
    ringmaster_beside_torch(${target})
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster/ring/ringmaster_ring)
    add_dependencies(ringmaster_ring_module ${target})
endforeach()

set(information ringmaster_ring-${PROJECT_VERSION}.dist-info)
configure_file(python/ringmaster_ring/__init__.py ${package}/ringmaster_ring/__init__.py COPYONLY)
configure_file(${PROJECT_SOURCE_DIR}/engine/ledger/hook/_ringmaster_objects.py ${package}/ringmaster_ring/_objects.py COPYONLY)
configure_file(python/ringmaster_ring.dist-info/entry_points.txt ${package}/${information}/entry_points.txt COPYONLY)
configure_file(python/ringmaster_ring.dist-info/METADATA.in ${package}/${information}/METADATA @ONLY)

install(DIRECTORY ${package}/ DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster/ring
    PATTERN "__pycache__" EXCLUDE PATTERN "*.so" EXCLUDE)

# The workers of a sweep. gloo's headers are Debian's: the wheel has none.
find_path(gloo_headers gloo/context.h)
if(NOT gloo_headers)
    message(STATUS "Without gloo's headers (libgloo-dev): `ringmaster sweep` isn't built")
    return()
endif()
list(GET torches 0 torch)
add_library(ringmaster_ring_backend STATIC ${ring_sources})
ringmaster_torch(ringmaster_ring_backend ${torch} ringmaster_loaded_ring)
add_executable(ringmaster-sweep sweep/main.cpp sweep/Backends.cpp sweep/SweepBenchmark.cpp sweep/SweepExchange.cpp
    sweep/Options.cpp sweep/Reporter.cpp sweep/Sweep.cpp)
ringmaster_torch(ringmaster-sweep ${torch} ringmaster_loaded_ring)
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
ringmaster_torch(ringmaster-sweep-nccl ${torch} ringmaster_loaded_ring)
target_include_directories(ringmaster-sweep-nccl SYSTEM PRIVATE ${nccl_headers} ${cuda_headers})
target_compile_definitions(ringmaster-sweep-nccl PRIVATE USE_C10D_NCCL)
target_link_libraries(ringmaster-sweep-nccl PRIVATE
    ${torch}/lib/libtorch_cuda.so ${torch}/lib/libc10_cuda.so ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
target_link_options(ringmaster-sweep-nccl PRIVATE -Wl,--allow-shlib-undefined)
set_target_properties(ringmaster-sweep-nccl PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    BUILD_RPATH ${torch}/lib INSTALL_RPATH "")
add_dependencies(ringmaster-sweep ringmaster-sweep-nccl)
install(TARGETS ringmaster-sweep-nccl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster COMPONENT torch)
