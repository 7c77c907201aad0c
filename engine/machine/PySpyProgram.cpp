#include "engine/machine/PySpyProgram.h"

#include "engine/base/Files.h"
#include "engine/base/Paths.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

/// The program that a process was started with, as it was called: a virtual environment's.
fs::path programOf(int pid)
{
    const auto line = readFile("/proc/" + std::to_string(pid) + "/cmdline", 64U << 10U);
    return line ? fs::path(line->substr(0, line->find('\0'))) : fs::path();
}

void addSearchPath(std::vector<fs::path>& folders)
{
    const char* path = std::getenv("PATH");
    std::string rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const size_t end = std::min(rest.find(':'), rest.size());
        folders.emplace_back(rest.substr(0, end));
        rest.erase(0, end + 1);
    }
}

} // namespace

std::string pySpyFor(int pid)
{
    std::vector<fs::path> folders{programOf(pid).parent_path(), executableFolder(),
                                  dataFolder() / "tools" / "bin"};
    addSearchPath(folders);
    for (const fs::path& folder : folders) {
        const fs::path candidate = folder / "py-spy";
        if (candidate.is_absolute() && ::access(candidate.c_str(), X_OK) == 0)
            return candidate.string();
    }
    return {};
}

bool isPySpyRefused(std::string_view error)
{
    // EACCES and EPERM, in the system's words.
    constexpr std::array Refusals{"ermission denied", "ermission Denied", "not permitted"};
    return std::ranges::any_of(Refusals, [error](const char* refusal) {
        return error.find(refusal) != std::string_view::npos;
    });
}

} // namespace ringmaster
