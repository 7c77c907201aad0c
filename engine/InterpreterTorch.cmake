# The interpreter that the tests run on, in `interpreter`. The wheel of its torch is enough to compile for it: neither a
# CUDA toolkit nor find_package(Torch), which insists on one.
set(interpreter $ENV{RINGMASTER_PYTHON})
set(chosen $ENV{HOME}/.local/share/ringmaster/interpreter)
if(NOT interpreter AND EXISTS ${chosen})
    file(STRINGS ${chosen} interpreter LIMIT_COUNT 1)
endif()
if(NOT interpreter)
    set(interpreter $ENV{HOME}/.local/share/ringmaster/venv/bin/python)
endif()

# The version of the torch package in that folder, as its headers have it; empty where it has none.
function(ringmaster_torch_version torch result)
    set(header ${torch}/include/torch/headeronly/version.h)
    set(version)
    if(EXISTS ${header})
        file(STRINGS ${header} version REGEX "^ +\"[0-9.]+\"")
        string(REGEX MATCH "[0-9.]+" version "${version}")
    endif()
    set(${result} "${version}" PARENT_SCOPE)
endfunction()
