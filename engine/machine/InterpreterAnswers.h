#pragma once

#include "engine/base/Environment.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace ringmaster {

/// What Python interpreters say of themselves: their version, and the torch that `import torch`
/// would find (torch itself is not imported). Answers are kept in a file until something changes
/// that they depend on: a variable, a folder where Python looks for modules, a `.pth` file.
class InterpreterAnswers
{
public:
    struct Answer
    {
        std::string version{};
        std::string torchVersion{}; ///< Empty: Python finds no torch.
        std::string cudaVersion{};

        bool operator==(const Answer&) const = default;
    };

    /// Whether "no torch" may be an older answer: a job is refused only for what is said now.
    enum class Absence { MayBeRemembered, IsAskedAgain };

    struct Question
    {
        std::string path{};
        EnvironmentMap environment{};
        std::string workingFolder{}; ///< Relative folders of PYTHONPATH begin there.
        Absence absence = Absence::MayBeRemembered;
    };

    /// `memory` is the file; empty: nothing is remembered.
    explicit InterpreterAnswers(std::filesystem::path memory);

    /// Nothing: it doesn't answer in time, or not as Python does. Blocks.
    std::optional<Answer> ask(const Question& question, std::chrono::milliseconds patience) const;

private:
    struct Memory;

    std::optional<Answer> remembered(const std::string& key) const;
    void remember(const std::string& key, const Answer& answer,
                  const std::vector<std::string>& dependsOn) const;

    std::filesystem::path m_memory;
    std::shared_ptr<Memory> m_read; ///< What the file had when it was last read.
};

} // namespace ringmaster
