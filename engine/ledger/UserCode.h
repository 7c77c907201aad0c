#pragma once

// C++17 and libc only: the hook includes this, too.

#include <string_view>

namespace ringmaster {

/// Torch's own Python.
inline bool isTorchFile(std::string_view file)
{
    return file.find("/torch/") != std::string_view::npos || file.rfind("torch/", 0) == 0;
}

/// A Python file that was made by an import, an installation or Ringmaster, and not written by the
/// user.
inline bool isForeignFile(std::string_view file)
{
    for (const std::string_view part : {"/site-packages/", "/dist-packages/", "/lib/python3.",
                                        "/lib64/python3.", "/_ringmaster_"}) {
        if (file.find(part) != std::string_view::npos)
            return true;
    }
    return file.rfind("torch/", 0) == 0 || file.rfind("<frozen", 0) == 0;
}

} // namespace ringmaster
