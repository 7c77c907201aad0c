#pragma once

#include "engine/job/Checks.h"

namespace ringmaster {

/// What a role runs: its program, folder, interpreter and environment.
class RoleChecks : public Checks
{
public:
    using Checks::Checks;

    void check(size_t index);

private:
    enum class TorchUse { None, Possible, Certain };

    void checkFolder(size_t index);
    void checkProgram(size_t index);
    void checkFile(size_t index, const std::string& path);
    void reportMissing(size_t index);
    std::string foundElsewhere(const Role& role) const;
    void checkCommand(size_t index);
    void checkModule(size_t index);
    void checkInterpreter(size_t index);
    void checkEnvironment(size_t index);
    TorchUse torchUse(const Role& role) const;
    void reportTorch(size_t index, const Interpreter& found);
    bool hasTorchBeside(const Role& role) const;
    std::string interpreterOf(const Role& role) const;
    std::string folderOf(const Role& role) const;
};

} // namespace ringmaster
