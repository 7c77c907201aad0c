#include "engine/import/ImportedRun.h"

#include <algorithm>

namespace ringmaster {

void ImportedRun::wasGoingOn(std::int64_t ns)
{
    if (ns == 0)
        return;
    beganNs = beganNs == 0 ? ns : std::min(beganNs, ns);
    endedNs = std::max(endedNs, ns);
}

void Fingerprint::add(std::string_view part)
{
    m_hash.add(part);
    // Where one part ends belongs to it.
    for (size_t length = part.size(); length != 0; length >>= 8U)
        m_hash.add(static_cast<unsigned char>(length));
}

std::string Fingerprint::text() const
{
    constexpr std::string_view Digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    constexpr int Length = 10;
    std::string text;
    std::uint64_t left = m_hash.value();
    for (int i = 0; i < Length; ++i, left /= Digits.size())
        text += Digits[left % Digits.size()];
    return text;
}

} // namespace ringmaster
