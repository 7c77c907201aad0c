# The torches that objects are compiled for: that of the interpreter that the tests run on, and the newest. Their wheels
# are enough: neither a CUDA toolkit nor find_package(Torch), which insists on one, nor an import.
set(interpreter $ENV{RINGMASTER_PYTHON})
set(chosen $ENV{HOME}/.local/share/ringmaster/interpreter)
if(NOT interpreter AND EXISTS ${chosen})
    file(STRINGS ${chosen} interpreter LIMIT_COUNT 1)
endif()
if(NOT interpreter)
    set(interpreter $ENV{HOME}/.local/share/ringmaster/venv/bin/python)
endif()
set(newest_interpreter $ENV{RINGMASTER_PYTHON_NEWEST})
if(NOT newest_interpreter)
    set(newest_interpreter $ENV{HOME}/.local/share/ringmaster/venv-newest/bin/python)
endif()

# The folder of an interpreter's torch package; empty where it has none.
function(ringmaster_torch_folder python result)
    execute_process(
        COMMAND ${python} -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
        OUTPUT_VARIABLE torch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(${result} "${torch}" PARENT_SCOPE)
endfunction()

# What tells one torch from another, of the package in that folder: PREFIX_version ("2.11.0"; empty where headers or
# libraries are missing), PREFIX_build (the commit) and PREFIX_abi (1: std::string as it is since GCC 5).
function(ringmaster_torch_identity torch prefix)
    set(version)
    if(EXISTS ${torch}/include/ATen/ATen.h AND EXISTS ${torch}/lib/libtorch_cpu.so AND EXISTS ${torch}/version.py)
        file(STRINGS ${torch}/version.py line REGEX "^__version__ = ")
        string(REGEX MATCH "[0-9.]+" version "${line}")
        file(STRINGS ${torch}/version.py line REGEX "^git_version = ")
        string(REGEX MATCH "[0-9a-f]+'" build "${line}")
        string(REPLACE "'" "" build "${build}")
    endif()
    # Where nothing says so, it is a torch of which every wheel has the new one.
    set(abi 1)
    if(EXISTS ${torch}/share/cmake/Torch/TorchConfig.cmake)
        file(STRINGS ${torch}/share/cmake/Torch/TorchConfig.cmake line REGEX "_GLIBCXX_USE_CXX11_ABI=0")
        if(line)
            set(abi 0)
        endif()
    endif()
    set(${prefix}_version "${version}" PARENT_SCOPE)
    set(${prefix}_build "${build}" PARENT_SCOPE)
    set(${prefix}_abi ${abi} PARENT_SCOPE)
endfunction()

# The folders of all torches that there are headers of, each once; RINGMASTER_TORCH, a list of folders, goes before.
set(RINGMASTER_TORCH "" CACHE STRING "Folders of the torch packages that objects are made for; empty: the interpreter's and the newest")
function(ringmaster_torches result)
    set(folders ${RINGMASTER_TORCH})
    if(NOT folders)
        foreach(python ${interpreter} ${newest_interpreter})
            ringmaster_torch_folder(${python} torch)
            list(APPEND folders ${torch})
        endforeach()
    endif()
    set(found)
    set(seen)
    foreach(torch ${folders})
        ringmaster_torch_identity(${torch} its)
        if(its_version AND NOT its_version IN_LIST seen)
            list(APPEND found ${torch})
            list(APPEND seen ${its_version})
        endif()
    endforeach()
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

# Compiles `target` for the torch in that folder.
function(ringmaster_for_torch target torch)
    ringmaster_torch_identity(${torch} its)
    target_include_directories(${target} SYSTEM PRIVATE ${torch}/include ${torch}/include/torch/csrc/api/include)
    # The wheel is compiled so; without NDEBUG some of its classes have another layout.
    target_compile_definitions(${target} PRIVATE NDEBUG USE_C10D_GLOO _GLIBCXX_USE_CXX11_ABI=${its_abi}
        RINGMASTER_TORCH_BUILD="${its_build}")
    target_compile_options(${target} PRIVATE -O2)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
