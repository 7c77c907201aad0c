#include "engine/collective/ring/Alarm.h"

#include "engine/collective/Codes.h"

#include <algorithm>

namespace ringmaster::ring {

namespace {

constexpr std::uint32_t Calm = 0;
constexpr std::uint32_t BeingWritten = 1;
constexpr std::uint32_t Written = 2;

template <size_t Size>
void copyText(std::array<char, Size>& target, std::string_view text)
{
    const size_t length = std::min(text.size(), Size - 1);
    std::copy_n(text.data(), length, target.begin());
    target[length] = '\0';
}

template <size_t Size>
std::string textOf(const std::array<char, Size>& source)
{
    return {source.begin(), std::find(source.begin(), source.end(), '\0')};
}

} // namespace

bool Alarm::isRaised() const
{
    return m_segment->header().alarm.state.load(std::memory_order_seq_cst) != Calm;
}

void Alarm::raise(const AlarmRecord& record) const
{
    AlarmMemory& memory = m_segment->header().alarm;
    std::uint32_t state = Calm;
    if (memory.state.compare_exchange_strong(state, BeingWritten)) {
        memory.record = record;
        memory.state.store(Written, std::memory_order_seq_cst);
    }
    m_segment->wakeAll();
}

AlarmRecord Alarm::record() const
{
    const AlarmMemory& memory = m_segment->header().alarm;
    // Who raises it may be killed in the middle of writing why.
    if (memory.state.load(std::memory_order_seq_cst) != Written)
        return {};
    return memory.record;
}

AlarmRecord makeAlarm(int raisedBy, int culprit, const Error& error)
{
    AlarmRecord record;
    record.raisedBy = raisedBy;
    record.culprit = culprit;
    copyText(record.code, codeName(error.code));
    copyText(record.reason, describe(error));
    return record;
}

Error errorOf(const AlarmRecord& alarm, const std::string& operation)
{
    const auto code = codeFromName(textOf(alarm.code));
    if (code == code::CollectivePeerDied || code == code::CollectivePeerLeft)
        return {{*code, {{"rank", std::to_string(alarm.culprit)}, {"operation", operation}}, {}},
                {}};
    return {{code::CollectiveAborted,
             {{"rank", std::to_string(alarm.raisedBy)}, {"reason", textOf(alarm.reason)}},
             {}},
            {}};
}

} // namespace ringmaster::ring
