#pragma once

#include "engine/machine/InterpreterAnswers.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ringmaster {

/// Where an interpreter was found.
enum class InterpreterKind { Active, Recorded, Environment, Conda, Pyenv, System, Named };

/// Who says what an interpreter is. Files beside it show a torch that is there; that there is none,
/// only the interpreter knows: PYTHONPATH, a `.pth` file or an editable install may bring it.
enum class InterpreterWitness {
    Files,     ///< It was not asked, or didn't answer.
    Itself,    ///< It was asked with the variables that it will have.
    NotAgreed, ///< Only a job names it, and nobody has agreed to run it: it was not asked.
    OwnMissing ///< It was asked without the job's variables, to which nobody has agreed.
};

struct Interpreter
{
    std::string path{};         ///< As it is started: its symbolic links are not followed.
    std::string version{};      ///< "3.11.2", or "3.11" where only that is known; empty: unknown.
    std::string torchVersion{}; ///< "2.11.0+cu130"; empty: none was found.
    std::string cudaVersion{};  ///< "13.0"; empty: torch without CUDA.
    InterpreterKind kind = InterpreterKind::Named;
    InterpreterWitness witness = InterpreterWitness::Files;

    bool operator==(const Interpreter&) const = default;
};

/// An interpreter as a job would start it.
struct InterpreterQuestion
{
    std::string path{};
    EnvironmentMap variables{};  ///< The job's own.
    std::string workingFolder{}; ///< Of its workers.
    bool needsTorch = true;      ///< Else it isn't asked for that.
};

/// What a job names is run only with its user's agreement: a repository that was cloned may bring
/// job, interpreter and modules.
struct Agreement
{
    bool isGiven = false;            ///< To the job as it is: it is being run.
    std::set<std::string> trusted{}; ///< Else to these interpreters.
};

/// Finds Python interpreters and what they are, without importing torch and, where the files beside
/// an interpreter tell enough, without running it: nothing is ever run out of a job's folder.
class Interpreters
{
public:
    /// For one that is asked to answer in.
    static constexpr std::chrono::milliseconds UsualPatience{3000};

    /// PATH, HOME, VIRTUAL_ENV, CONDA_PREFIX, XDG_DATA_HOME, XDG_CACHE_HOME are taken from
    /// `environment`, and RINGMASTER_INSTALLED_IN, by which the wheel says whose command it is.
    explicit Interpreters(EnvironmentMap environment,
                          std::chrono::milliseconds patience = UsualPatience);

    /// All that there are, the active one first, each file once.
    std::vector<Interpreter> all(const std::filesystem::path& workingFolder) const;

    /// The one that a job without an interpreter gets: that of the environment that the wheel is
    /// installed in, where it has torch; else that of VIRTUAL_ENV or CONDA_PREFIX; else the first
    /// with torch among python3 and python of PATH and those that Ringmaster's installer made; else
    /// the first of them. Empty: there is none.
    std::string active() const;

    /// What this interpreter is; nothing when it doesn't exist, isn't executable or doesn't answer.
    std::optional<Interpreter> inspect(const std::filesystem::path& path, InterpreterKind kind,
                                       bool mayRun = true) const;

    /// What a job's interpreter is, as far as its user has agreed that it may be asked. Nothing as
    /// above.
    std::optional<Interpreter> inspect(const InterpreterQuestion& question,
                                       const Agreement& agreement) const;

private:
    struct Candidate
    {
        std::filesystem::path path;
        InterpreterKind kind;
        bool mayRun;
    };

    std::vector<Candidate> candidates(const std::filesystem::path& workingFolder) const;
    void addInstalledIn(std::vector<Candidate>& into) const;
    void addRecorded(std::vector<Candidate>& into) const;
    void addFromPath(std::vector<Candidate>& into) const;
    void addCondaAndPyenv(std::vector<Candidate>& into) const;
    bool isOwn(const std::filesystem::path& path) const;
    bool ask(Interpreter& into, const EnvironmentMap& environment, const std::string& folder,
             InterpreterAnswers::Absence absence) const;
    std::string variable(const char* name) const;
    std::filesystem::path folderOf(const char* variableName, const char* inHome) const;

    EnvironmentMap m_environment;
    std::chrono::milliseconds m_patience;
    InterpreterAnswers m_answers;
};

} // namespace ringmaster
