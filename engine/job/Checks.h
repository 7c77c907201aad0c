#pragma once

#include "engine/job/JobOptions.h"
#include "engine/job/JobSpec.h"
#include "engine/machine/SystemInfo.h"
#include "engine/text/Finding.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Collects the findings of one validation. Part of validate(), whose checks are several sources.
class Checks
{
public:
    Checks(const JobSpec& spec, const SystemInfo& systemInfo)
        : m_spec(spec), m_systemInfo(systemInfo)
    {
    }

    void checkRanges();
    void checkCounts();
    void checkRestart();
    void checkRendezvous();
    void checkLogs();
    void checkSlurm();
    void checkContainer();
    void checkOthers();
    void checkRole(size_t index);
    void checkDevices();

    std::vector<Finding> take() { return std::move(m_findings); }

private:
    void ok(std::string field, Code code, Parameters parameters = {});
    void warn(std::string field, Code code, Parameters parameters = {});
    void error(std::string field, Code code, Parameters parameters = {});
    void add(Finding::Severity severity, std::string field, Code code, Parameters parameters);
    void checkRange(const std::string& field, int value, const JobOption& option);
    void notNegative(const char* field, std::chrono::milliseconds value);

    // Rendezvous
    void checkStatic();
    void checkC10d();
    void checkConfiguration();
    void checkHosts();
    void checkStandalone();
    void checkPort(const char* field, const std::string& host, int port);

    // Logs
    void checkStreams(const char* field, const StreamSelection& streams);
    void checkFilters();

    // Roles
    std::string at(size_t index, std::string_view key) const;
    std::string folderOf(const Role& role) const;
    void checkFolder(size_t index);
    void checkProgram(size_t index);
    void checkFile(size_t index, const std::string& path);
    void reportMissing(size_t index);
    std::string foundElsewhere(const Role& role) const;
    void checkCommand(size_t index);
    void checkModule(size_t index);
    void checkInterpreter(size_t index);
    void checkEnvironment(size_t index);
    enum class TorchUse { None, Possible, Certain };
    TorchUse torchUse(const Role& role) const;
    void reportTorch(size_t index, const Interpreter& found);
    bool hasTorchBeside(const Role& role) const;
    std::string interpreterOf(const Role& role) const;

    // Devices
    void checkWorkers(size_t index);
    void checkRoleDevices(size_t index);
    void checkBackend();
    void checkRing();
    void checkBusyDevices();
    int localWorkers() const;

    const JobSpec& m_spec;
    const SystemInfo& m_systemInfo;
    std::vector<Finding> m_findings;
};

} // namespace ringmaster
