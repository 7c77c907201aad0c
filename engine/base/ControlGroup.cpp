#include "engine/base/ControlGroup.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace ringmaster {

namespace {

std::string textOf(const std::string& path)
{
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t got = 0; (got = read(file.get(), part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(got));
    return text;
}

bool writeTo(const std::string& path, std::string_view text)
{
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.isOpen() &&
           ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::vector<std::string> foldersIn(const std::string& folder)
{
    std::vector<std::string> names;
    DIR* entries = opendir(folder.c_str());
    while (const dirent* entry = entries != nullptr ? readdir(entries) : nullptr) {
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            names.emplace_back(entry->d_name);
    }
    if (entries != nullptr)
        closedir(entries);
    return names;
}

std::string cgroupRoot()
{
    // Beside version 1 it is mounted one folder deeper.
    for (const char* folder : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        struct statfs info
        {
        };
        if (statfs(folder, &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC)
            return folder;
    }
    return {};
}

constexpr const char* NamePrefix = "ringmaster-";

std::string groupNameOf(const std::string& run)
{
    return NamePrefix + run + "-";
}

/// 0: it isn't the name of a keeper's group.
pid_t keeperOf(const std::string& name)
{
    const std::size_t number = name.rfind('-') + 1;
    const bool isOne = name.rfind(NamePrefix, 0) == 0 && number < name.size() &&
                       name.find_first_not_of("0123456789", number) == std::string::npos;
    return isOne ? std::atoi(name.c_str() + number) : 0;
}

void removeTree(const std::string& folder)
{
    for (const std::string& name : foldersIn(folder))
        removeTree(folder + "/" + name);
    rmdir(folder.c_str());
}

} // namespace

std::string ControlGroup::place()
{
    const std::string top = cgroupRoot();
    const std::string own = textOf("/proc/self/cgroup");
    const std::size_t at = own.rfind("0::/");
    if (top.empty() || at == std::string::npos || (at > 0 && own[at - 1] != '\n'))
        return {};
    std::string folder = top + own.substr(at + 3, own.find('\n', at) - at - 3);
    while (folder.back() == '/')
        folder.pop_back();
    const bool isOurs =
        access(folder.c_str(), W_OK) == 0 && access((folder + "/cgroup.procs").c_str(), W_OK) == 0;
    return isOurs ? folder : std::string();
}

ControlGroup ControlGroup::ofKeeper(const std::string& place, const std::string& run, pid_t keeper)
{
    const bool isUsable = !place.empty() && !run.empty() && run.find('/') == std::string::npos;
    return isUsable ? ControlGroup(place + "/" + groupNameOf(run) + std::to_string(keeper))
                    : ControlGroup();
}

std::vector<ControlGroup> ControlGroup::ofRun(const std::string& place, const std::string& run)
{
    std::vector<ControlGroup> groups;
    if (place.empty() || run.empty())
        return groups;
    for (const std::string& name : foldersIn(place)) {
        const bool isIts =
            name.rfind(groupNameOf(run), 0) == 0 &&
            name.find_first_not_of("0123456789", groupNameOf(run).size()) == std::string::npos;
        if (isIts)
            groups.emplace_back(place + "/" + name);
    }
    return groups;
}

void ControlGroup::removeAbandoned(const std::string& place)
{
    if (place.empty())
        return;
    for (const std::string& name : foldersIn(place)) {
        const pid_t keeper = keeperOf(name);
        if (keeper > 0 && ::kill(keeper, 0) != 0 && errno == ESRCH)
            ControlGroup(place + "/" + name).remove();
    }
}

bool ControlGroup::create()
{
    if (m_folder.empty() || m_descriptor.isOpen())
        return m_descriptor.isOpen();
    if (mkdir(m_folder.c_str(), 0755) != 0 && errno != EEXIST)
        return false;
    if (access((m_folder + "/cgroup.kill").c_str(), W_OK) == 0)
        m_descriptor = FileDescriptor(open(m_folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    else
        rmdir(m_folder.c_str());
    return m_descriptor.isOpen();
}

bool ControlGroup::exists() const
{
    return !m_folder.empty() && access(m_folder.c_str(), F_OK) == 0;
}

bool ControlGroup::join() const
{
    return m_descriptor.isOpen() && writeTo(m_folder + "/cgroup.procs", "0");
}

std::vector<pid_t> ControlGroup::processes() const
{
    std::vector<pid_t> found;
    if (m_folder.empty())
        return found;
    const std::string text = textOf(m_folder + "/cgroup.procs");
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        found.push_back(std::atoi(text.c_str() + at));
    return found;
}

void ControlGroup::kill() const
{
    if (exists())
        (void)writeTo(m_folder + "/cgroup.kill", "1");
}

void ControlGroup::remove()
{
    if (m_folder.empty())
        return;
    m_descriptor.close();
    removeTree(m_folder);
}

} // namespace ringmaster
