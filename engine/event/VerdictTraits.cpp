#include "engine/event/VerdictTraits.h"

#include <utility>

namespace ringmaster {

VerdictTraits traitsOf(Verdict::Kind kind)
{
    using Kind = Verdict::Kind;
    using Severity = Notice::Severity;
    using Subject = VerdictTraits::Subject;
    // clang-format off
    switch (kind) {
    // Who is waited for while that is no hang only takes its time.
    case Kind::Waiting:   return {"waiting",   Subject::Wait,  Severity::Info,    Health::Waiting, {}};
    // A wire has two ends: none of them is slow by itself.
    case Kind::SlowWire:  return {"slowWire",  Subject::Pace,  Severity::Warning, Health::Slow,    Health::Running};
    case Kind::Straggler: return {"straggler", Subject::Pace,  Severity::Warning, Health::Slow,    Health::Slow};
    case Kind::Hang:      return {"hang",      Subject::Wait,  Severity::Error,   Health::Hanging, Health::Hanging};
    case Kind::Mismatch:  return {"mismatch",  Subject::Calls, Severity::Error,   Health::Hanging, Health::Hanging};
    }
    // clang-format on
    return {};
}

bool isWeightier(Verdict::Kind one, Verdict::Kind other)
{
    return std::pair(traitsOf(one).severity, one) > std::pair(traitsOf(other).severity, other);
}

} // namespace ringmaster
