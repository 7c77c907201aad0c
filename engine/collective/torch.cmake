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

set(package ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/ringmaster-ring)
add_library(ringmaster_ring_module MODULE
    RingBackend.cpp RingModule.cpp RingWork.cpp StoreKeyValue.cpp TensorBytes.cpp WorkQueue.cpp)
target_link_libraries(ringmaster_ring_module PRIVATE Ringmaster::collective_ring ringmaster_options)
target_include_directories(ringmaster_ring_module SYSTEM PRIVATE
    ${torch}/include ${torch}/include/torch/csrc/api/include ${python_headers})
# The wheel is compiled so; without NDEBUG some of its classes have another layout.
target_compile_definitions(ringmaster_ring_module PRIVATE NDEBUG USE_C10D_GLOO _GLIBCXX_USE_CXX11_ABI=1)
target_compile_options(ringmaster_ring_module PRIVATE -O2 -Wno-conversion -Wno-shadow)
target_link_libraries(ringmaster_ring_module PRIVATE
    ${torch}/lib/libtorch_python.so ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so)
# No run path: torch's libraries are there when it is loaded, the user's own.
set_target_properties(ringmaster_ring_module PROPERTIES PREFIX "" OUTPUT_NAME _ring SUFFIX ${suffix}
    LIBRARY_OUTPUT_DIRECTORY ${package}/ringmaster_ring SKIP_BUILD_RPATH ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_link_options(ringmaster_ring_module PRIVATE -Wl,--exclude-libs,ALL)

set(information ringmaster_ring-${PROJECT_VERSION}.dist-info)
configure_file(python/ringmaster_ring/__init__.py ${package}/ringmaster_ring/__init__.py COPYONLY)
configure_file(python/ringmaster_ring.dist-info/entry_points.txt ${package}/${information}/entry_points.txt COPYONLY)
configure_file(python/ringmaster_ring.dist-info/METADATA.in ${package}/${information}/METADATA @ONLY)
file(CONFIGURE OUTPUT ${package}/ringmaster_ring/_version.py CONTENT "torch = \"@torch_version@\"\n" @ONLY)

install(DIRECTORY ${package}/ DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster/ring
    PATTERN "__pycache__" EXCLUDE PATTERN "*.so" EXCLUDE)
install(TARGETS ringmaster_ring_module LIBRARY DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringmaster/ring/ringmaster_ring)
