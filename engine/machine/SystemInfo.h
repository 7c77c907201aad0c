#pragma once

#include "engine/machine/Devices.h"
#include "engine/machine/Interpreters.h"
#include "engine/machine/MachineCounts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What the checks of a job ask about the machine that it shall run on. Paths are absolute.
class SystemInfo
{
public:
    struct File
    {
        bool exists = false;
        bool isFolder = false;
        bool isReadable = false;
        bool isExecutable = false;
    };

    struct Port
    {
        bool isFree = true;
        int pid = -1; ///< Who listens there, if that can be seen.
        std::string program{};
    };

    virtual ~SystemInfo() = default;

    /// The folder that the job would be launched from.
    virtual std::string launchFolder() const = 0;
    virtual File file(const std::string& path) const = 0;
    /// At most `limit` bytes from the start; empty when it can't be read.
    virtual std::string fileStart(const std::string& path, size_t limit) const = 0;
    /// True when files can be made there, also when the folder itself must be made first.
    virtual bool canWriteInto(const std::string& folder) const = 0;
    virtual std::vector<std::string> subfolders(const std::string& folder) const = 0;
    /// The file that PATH finds; empty when there is none.
    virtual std::string findCommand(const std::string& name) const = 0;

    virtual MachineCounts counts() const = 0;
    virtual DeviceList devices() const = 0;
    virtual std::string activeInterpreter() const = 0;
    virtual std::optional<Interpreter> interpreter(const InterpreterQuestion& question) const = 0;

    /// True when `host` is this machine.
    virtual bool isThisMachine(const std::string& host) const = 0;
    virtual Port port(int number) const = 0;
    virtual std::optional<std::string> variable(const std::string& name) const = 0;
};

} // namespace ringmaster
