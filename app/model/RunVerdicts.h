#pragma once

#include "engine/base/Codes.h"
#include "engine/event/Event.h"

#include <vector>

namespace ringmaster::app {

/// What a notice is to the diagnosis: it says a statement, then its evidence, then its remedy.
enum class NoticeRole { Other, Waiting, Verdict, Evidence, Remedy };

NoticeRole roleOf(const Notice& notice);

/// What the diagnosis says of the current attempt and hasn't taken back.
class RunVerdicts
{
public:
    static constexpr size_t MaxStanding = 100; ///< The oldest wait goes first.
    static constexpr size_t MaxEvidence = 50;  ///< Of one; the first are kept.

    enum class Kind { Waiting, Slow, Hang, Mismatch }; ///< In the order of their weight.

    struct Standing
    {
        Kind kind = Kind::Waiting;
        Message statement{};
        std::vector<Message> evidence{};
        Message remedy{};         ///< code::None: none.
        bool isInherited = false; ///< The evidence is that of the wait which it was at first.
    };

    /// Whether anything is different now.
    bool apply(const Event& event);

    /// The weightiest first, and then the oldest.
    const std::vector<Standing>& standing() const { return m_standing; }

private:
    bool tell(const Notice& notice);
    void state(Kind kind, const Message& statement);
    bool isOver(const Message& message);
    Standing* latest();
    void makeRoom();

    std::vector<Standing> m_standing;
    Message m_latest{}; ///< The statement that evidence and remedies belong to.
};

} // namespace ringmaster::app
