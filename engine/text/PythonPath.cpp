#include "engine/text/PythonPath.h"

#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster {

namespace {

std::vector<std::string> foldersOf(std::string_view path)
{
    return path.empty() ? std::vector<std::string>() : split(path, ':');
}

} // namespace

std::string pythonPathWith(const std::string& first, std::string_view given,
                           const std::string& last)
{
    std::vector<std::string> folders;
    if (!first.empty())
        folders.push_back(first);
    // What a worker of a run starts has them already.
    for (std::string& folder : foldersOf(given))
        if (folder.empty() || (folder != first && folder != last))
            folders.push_back(std::move(folder));
    if (!last.empty())
        folders.push_back(last);
    return join(folders, ":");
}

bool hasRelativeFolder(std::string_view pythonPath)
{
    return std::ranges::any_of(foldersOf(pythonPath),
                               [](const std::string& folder) { return !folder.starts_with('/'); });
}

} // namespace ringmaster
