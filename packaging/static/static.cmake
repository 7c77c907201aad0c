# RINGMASTER_STATIC: the command and the dashboard bring every library but libc, libm and Qt, and need glibc 2.34 only.
# Included before the engine, whose find_package() leaves a target alone that is here already.
if(NOT RINGMASTER_STATIC)
    set(RINGMASTER_GRPC gRPC::grpc++)
    function(ringmaster_static)
    endfunction()
    function(ringmaster_beside_torch)
    endfunction()
    return()
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
find_package(Threads REQUIRED)

# Debian has no archive of these two: their one source is in their headers.
add_library(ringmaster_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/Fmt.cpp)
target_compile_features(ringmaster_fmt PUBLIC cxx_std_20)
add_library(ringmaster_spdlog STATIC ${CMAKE_CURRENT_LIST_DIR}/Spdlog.cpp)
target_compile_definitions(ringmaster_spdlog PUBLIC SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
target_link_libraries(ringmaster_spdlog PUBLIC ringmaster_fmt Threads::Threads)
# toml++ as headers, with exceptions in one folder and without in another: linked together, one's parser would be
# built on the other's reader. A namespace of its own keeps them apart.
add_library(ringmaster_toml INTERFACE)
target_compile_definitions(ringmaster_toml INTERFACE toml=toml_with_exceptions)
foreach(name fmt::fmt=fmt fmt::fmt-header-only=fmt spdlog::spdlog=spdlog spdlog::spdlog_header_only=spdlog
        tomlplusplus::tomlplusplus=toml)
    string(REPLACE "=" ";" name ${name})
    list(GET name 0 alias)
    list(GET name 1 library)
    add_library(${alias} ALIAS ringmaster_${library})
endforeach()

# gRPC without TLS, which the control sockets don't use: no OpenSSL. Its archives need each other, in circles.
find_package(Protobuf REQUIRED)
set(archives ${Protobuf_LIBRARY})
foreach(name grpc++_unsecure grpc_unsecure gpr upb address_sorting re2 cares z)
    find_library(RINGMASTER_STATIC_${name} ${name} REQUIRED)
    list(APPEND archives ${RINGMASTER_STATIC_${name}})
endforeach()
get_filename_component(folder ${RINGMASTER_STATIC_gpr} DIRECTORY)
file(GLOB absl ${folder}/libabsl_*.a)
add_library(ringmaster_static_grpc INTERFACE)
target_link_libraries(ringmaster_static_grpc INTERFACE
    -Wl,--start-group ${archives} ${absl} -Wl,--end-group Threads::Threads ${CMAKE_DL_LIBS} m)
set(RINGMASTER_GRPC ringmaster_static_grpc)

# What libstdc++ and libgcc want of a newer glibc.
add_library(ringmaster_older_glibc OBJECT ${CMAKE_CURRENT_LIST_DIR}/OlderGlibc.c)
target_compile_features(ringmaster_older_glibc PRIVATE c_std_11)
add_compile_options(-ffunction-sections -fdata-sections)

# Functions whose code is the same become one: templates have many. Only where nobody compares their addresses.
include(CheckLinkerFlag)
set(RINGMASTER_FOLDING -fuse-ld=gold -Wl,--icf=safe)
check_linker_flag(CXX "${RINGMASTER_FOLDING}" RINGMASTER_LINKER_FOLDS)

# ringmaster_static(target…) links programs, and objects that Python loads, with libstdc++ in them and nothing newer
# than glibc 2.34.
function(ringmaster_static)
    foreach(target ${ARGN})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:ringmaster_older_glibc>)
        target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed
            -Wl,--exclude-libs,ALL)
        get_target_property(type ${target} TYPE)
        if(RINGMASTER_LINKER_FOLDS AND type STREQUAL "EXECUTABLE")
            target_link_options(${target} PRIVATE ${RINGMASTER_FOLDING})
            set_target_properties(${target} PROPERTIES RINGMASTER_FOLDS ON)
        endif()
    endforeach()
endfunction()

# Where torch is loaded, its libstdc++ is: what comes beside it uses that one, too, and needs none newer than GCC 11's.
add_library(ringmaster_older_libstdcxx OBJECT ${CMAKE_CURRENT_LIST_DIR}/OlderLibstdcxx.cpp)
target_compile_features(ringmaster_older_libstdcxx PRIVATE cxx_std_17)
function(ringmaster_beside_torch)
    foreach(target ${ARGN})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:ringmaster_older_libstdcxx>)
        target_link_options(${target} PRIVATE -Wl,--gc-sections -Wl,--as-needed -Wl,--exclude-libs,ALL)
    endforeach()
endfunction()
