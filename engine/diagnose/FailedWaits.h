#pragma once

#include "engine/diagnose/VerdictCandidate.h"

namespace ringmaster::diagnose {

/// Waits that ended by an error: the group's timeout, a peer that was gone. They are no news that
/// is over, but why the ranks will end. One holds until a rank that waited gets on, and its age is
/// that of its end. Pure.
class FailedWaits
{
public:
    /// `found`: what holds at this look, with the waits that go on.
    std::vector<VerdictCandidate> look(const std::vector<RankView>& ranks,
                                       const std::vector<VerdictCandidate>& found);
    /// Of what held at the last look or had failed by then: what has failed and nobody is in any
    /// more. A rank may end with its error before the next look.
    std::vector<VerdictCandidate> end(const std::vector<RankView>& ranks) const;

private:
    std::vector<VerdictCandidate> m_known; ///< At the last look: waits, and what failed of them.
};

} // namespace ringmaster::diagnose
