#pragma once

#include "engine/event/Event.h"
#include "engine/event/Health.h"

#include <optional>
#include <string_view>

namespace ringmaster {

/// What a kind of verdict means to whoever tells it.
struct VerdictTraits
{
    /// What it speaks of, from which follows for how long it holds.
    enum class Subject {
        Wait,  ///< Over when the run succeeds; the cause of an end unless a rank failed by itself.
        Pace,  ///< Of interest to the end, and never its cause.
        Calls, ///< Those that were made: holds from then on, also over a restart, and is the cause
               ///< of an end whatever else is told. Survived as long as nobody waits.
    };

    std::string_view name{}; ///< As JSON carries it.
    Subject subject = Subject::Wait;
    Notice::Severity severity = Notice::Severity::Info;
    Health job = Health::Running;   ///< Of a job of which nothing weightier is said.
    std::optional<Health> guilty{}; ///< Of its guilty ranks; nothing: what else is said of them.
};

/// The table: a row a kind.
VerdictTraits traitsOf(Verdict::Kind kind);

/// Of several the weightiest is told first, also as the cause of an end. By severity; of equal ones
/// in the order of the kinds.
bool isWeightier(Verdict::Kind one, Verdict::Kind other);

} // namespace ringmaster
