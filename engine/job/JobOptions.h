#pragma once

#include "engine/job/CommandOptions.h"
#include "engine/job/JobSpec.h"

#include <chrono>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ringmaster {

template <class T>
using FieldOf = T& (*)(JobSpec&, Role&);
using StringMap = std::map<std::string, std::string>;

/// Where a job, or one role of it, keeps what an option says; by its type the option is read and
/// written everywhere.
struct JobField
{
    using Place = std::variant<
        std::monostate, FieldOf<bool>, FieldOf<int>, FieldOf<std::optional<int>>,
        FieldOf<std::string>, FieldOf<std::chrono::milliseconds>, FieldOf<std::vector<std::string>>,
        FieldOf<std::vector<int>>, FieldOf<StringMap>, FieldOf<StreamSelection>, FieldOf<NodeRange>,
        FieldOf<WorkerCount>, FieldOf<RendezvousMethod>, FieldOf<RunOn>, FieldOf<WarmMode>>;

    Place place{};
    bool isOfRole = false;
};

/// All that is said about one option of a job: on the command line (torchrun's and ours, help, man
/// page, completion), in a `.ringjob` file and in its schema. A new option is one of these, and
/// what it does.
struct JobOption
{
    OptionRow row{};        ///< On the command line; without a name: only in files.
    std::string_view key{}; ///< In a file: "restart.grace", or of a role: "image". Empty: only on
                            ///< the command line, as a flag of the program or as another name.
    JobField field{};
    /// Of a number.
    int least = std::numeric_limits<int>::min();
    int most = std::numeric_limits<int>::max();

    /// "restart" of "restart.grace"
    std::string_view section() const;
    /// "grace" of "restart.grace"
    std::string_view name() const;
};

/// `act(field)` with what `option` says of `job` or of its `role`; nothing where it has no field.
template <class Act>
void visitField(const JobOption& option, JobSpec& job, Role& role, Act&& act)
{
    std::visit(
        [&](auto fieldOf) {
            if constexpr (!std::is_same_v<decltype(fieldOf), std::monostate>)
                act(fieldOf(job, role));
        },
        option.field.place);
}

/// The same, where it isn't what it is without the option.
template <class Act>
void visitChanged(const JobOption& option, JobSpec& job, Role& role, Act&& act)
{
    JobSpec usual;
    Role usualRole;
    std::visit(
        [&](auto fieldOf) {
            if constexpr (!std::is_same_v<decltype(fieldOf), std::monostate>)
                if (fieldOf(job, role) != fieldOf(usual, usualRole))
                    act(std::as_const(fieldOf(job, role)));
        },
        option.field.place);
}

/// In the order in which a person explains a job: what, where, when it fails, the rest.
std::span<const JobOption> jobOptions();

/// By its place in a file. Never null for one that is there.
const JobOption* findJobOption(std::string_view key);

/// What may be said at that place; empty: anything of its type.
std::vector<std::string> choicesOf(std::string_view key);
bool isChoice(std::string_view key, std::string_view value);

/// The tables of a file, in order: "restart", "rendezvous" …
std::vector<std::string_view> jobSections();

} // namespace ringmaster
