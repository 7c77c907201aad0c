#pragma once

#include "engine/machine/SystemInfo.h"

#include <filesystem>

namespace ringmaster {

/// This machine. GPUs are asked once, when it is made; files and ports at every question. Blocks
/// for milliseconds, with a sleeping GPU driver or a slow interpreter for seconds: not for a thread
/// that must not wait. An interpreter that doesn't answer within `patience` has no answer.
class RealSystemInfo : public SystemInfo
{
public:
    RealSystemInfo(EnvironmentMap environment, std::filesystem::path launchFolder,
                   Agreement agreement = {},
                   std::chrono::milliseconds patience = Interpreters::UsualPatience);

    std::string launchFolder() const override { return m_launchFolder.string(); }
    File file(const std::string& path) const override;
    std::string fileStart(const std::string& path, size_t limit) const override;
    bool canWriteInto(const std::string& folder) const override;
    std::vector<std::string> subfolders(const std::string& folder) const override;
    std::string findCommand(const std::string& name) const override;
    MachineCounts counts() const override { return m_counts; }
    DeviceList devices() const override { return m_devices; }
    std::string activeInterpreter() const override;
    std::optional<Interpreter> interpreter(const InterpreterQuestion& question) const override;
    bool isThisMachine(const std::string& host) const override;
    Port port(int number) const override;
    std::optional<std::string> variable(const std::string& name) const override;

private:
    EnvironmentMap m_environment;
    std::filesystem::path m_launchFolder;
    Interpreters m_interpreters;
    Agreement m_agreement;
    DeviceList m_devices;
    MachineCounts m_counts;
    mutable std::optional<std::string> m_active; ///< Asked once: interpreters may have to be run.
};

} // namespace ringmaster
