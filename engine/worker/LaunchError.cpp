#include "engine/worker/LaunchError.h"

#include "engine/worker/Codes.h"

#include <cerrno>
#include <filesystem>

namespace ringmaster {

namespace {

Error made(Code code, const std::string& path, int error)
{
    return {{code, {{"path", path}}, errnoText(error)}, {}};
}

Error programError(const keeper::NotStarted& failure, const WorkerLaunch& worker)
{
    std::error_code ignored;
    const std::filesystem::path path =
        std::filesystem::path(worker.workingFolder) / std::filesystem::path(failure.path);
    const bool isPath = failure.path.find('/') != std::string::npos;
    switch (failure.error) {
    case ENOENT:
    case ENOTDIR:
        // exec says the same of a program and of the interpreter that its first line names.
        if (isPath && std::filesystem::exists(path, ignored))
            return made(code::ProgramInterpreterNotFound, failure.path, failure.error);
        return made(isPath ? code::ProgramNotFound : code::ProgramNotInPath, failure.path,
                    failure.error);
    case EACCES: return made(code::ProgramNotExecutable, failure.path, failure.error);
    case ENOEXEC: return made(code::ProgramWrongFormat, failure.path, failure.error);
    case E2BIG: return made(code::ArgumentsTooLong, failure.path, failure.error);
    default: return made(code::ProgramNotStarted, failure.path, failure.error);
    }
}

} // namespace

Error launchError(const keeper::NotStarted& failure, const WorkerLaunch& worker)
{
    switch (failure.step) {
    case keeper::SpawnStep::WorkingFolder:
        return made(code::WorkingFolderNotUsable, failure.path, failure.error);
    case keeper::SpawnStep::Program: return programError(failure, worker);
    case keeper::SpawnStep::Fork:
        return {{code::TooManyProcesses, {}, errnoText(failure.error)}, {}};
    case keeper::SpawnStep::StandardStreams: break;
    }
    return made(code::ProgramNotStarted, failure.path, failure.error);
}

} // namespace ringmaster
