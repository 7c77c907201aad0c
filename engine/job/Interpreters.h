#pragma once

#include "engine/job/ArgumentParser.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// Where an interpreter was found.
enum class InterpreterKind { Active, Recorded, Environment, Conda, Pyenv, System, Named };

struct Interpreter
{
    std::string path{};         ///< As it is started: its symbolic links are not followed.
    std::string version{};      ///< "3.11.2", or "3.11" where only that is known.
    std::string torchVersion{}; ///< "2.11.0+cu130"; empty: no torch.
    std::string cudaVersion{};  ///< "13.0"; empty: torch without CUDA.
    InterpreterKind kind = InterpreterKind::Named;

    bool operator==(const Interpreter&) const = default;
};

/// Finds Python interpreters and what they are, without importing torch and, where the files beside
/// an interpreter tell enough, without running it: nothing is ever run out of a job's folder.
class Interpreters
{
public:
    /// PATH, HOME, VIRTUAL_ENV, CONDA_PREFIX, XDG_DATA_HOME are taken from `environment`.
    explicit Interpreters(EnvironmentMap environment,
                          std::chrono::milliseconds patience = std::chrono::seconds(3));

    /// All that there are, the active one first, each file once.
    std::vector<Interpreter> all(const std::filesystem::path& workingFolder) const;

    /// The one that a job without an interpreter gets: that of VIRTUAL_ENV or CONDA_PREFIX; else
    /// the first with torch among python3 and python of PATH and those that Ringmaster's installer
    /// made; else the first of them. Empty: there is none.
    std::string active() const;

    /// What this interpreter is; nothing when it doesn't exist, isn't executable or doesn't answer.
    std::optional<Interpreter> inspect(const std::filesystem::path& path, InterpreterKind kind,
                                       bool mayRun = true) const;

private:
    struct Candidate
    {
        std::filesystem::path path;
        InterpreterKind kind;
        bool mayRun;
    };

    std::vector<Candidate> candidates(const std::filesystem::path& workingFolder) const;
    void addRecorded(std::vector<Candidate>& into) const;
    void addFromPath(std::vector<Candidate>& into) const;
    void addCondaAndPyenv(std::vector<Candidate>& into) const;
    std::optional<Interpreter> asked(const std::filesystem::path& path) const;
    std::string variable(const char* name) const;
    std::filesystem::path dataFolderOf() const;

    EnvironmentMap m_environment;
    std::chrono::milliseconds m_patience;
};

} // namespace ringmaster
