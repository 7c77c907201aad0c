#include "engine/collective/ring/Alarm.h"

#include "engine/collective/Codes.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace ringmaster::ring {

namespace {

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

Code codeOfEnding(Ending ending)
{
    switch (ending) {
    case Ending::Left: return code::CollectivePeerLeft;
    case Ending::Lost: return code::CollectivePeerLost;
    case Ending::Died:
    case Ending::None: break;
    }
    return code::CollectivePeerDied;
}

} // namespace

bool Alarm::isRaised() const
{
    return m_segment->header().alarm.givenUp.load(std::memory_order_seq_cst) != 0;
}

bool Alarm::isRaised(std::uint64_t sequence) const
{
    const auto givenUp = m_segment->header().alarm.givenUp.load(std::memory_order_seq_cst);
    return givenUp != 0 && givenUp - 1 <= sequence;
}

void Alarm::raise(const AlarmRecord& record) const
{
    write(record);
    AlarmMemory& memory = m_segment->header().alarm;
    const std::uint64_t mine = record.sequence + 1;
    std::uint64_t known = memory.givenUp.load();
    while ((known == 0 || mine < known) && !memory.givenUp.compare_exchange_weak(known, mine)) {
    }
    m_segment->wakeAll();
}

void Alarm::write(const AlarmRecord& record) const
{
    AlarmMemory& memory = m_segment->header().alarm;
    std::uint32_t version = memory.version.load();
    // Who writes it may be killed in the middle: then nobody hears why.
    for (int tries = 0; tries < 1000; ++tries) {
        if ((version & 1U) == 0 && memory.version.compare_exchange_weak(version, version + 1))
            break;
        std::this_thread::yield();
        version = memory.version.load();
    }
    if ((version & 1U) != 0)
        return;
    const auto known = memory.givenUp.load();
    if (version == 0 || (known != 0 && record.sequence + 1 < known)) {
        std::array<std::uint64_t, std::tuple_size_v<decltype(memory.record)>> words{};
        std::memcpy(words.data(), &record, sizeof(record));
        for (size_t word = 0; word < words.size(); ++word)
            memory.record[word].store(words[word], std::memory_order_release);
    }
    memory.version.store(version + 2, std::memory_order_seq_cst);
}

AlarmRecord Alarm::record() const
{
    const AlarmMemory& memory = m_segment->header().alarm;
    std::array<std::uint64_t, std::tuple_size_v<decltype(memory.record)>> words{};
    for (int tries = 0; tries < 1000; ++tries) {
        const auto version = memory.version.load(std::memory_order_seq_cst);
        for (size_t word = 0; word < words.size(); ++word)
            words[word] = memory.record[word].load(std::memory_order_seq_cst);
        if (version != 0 && (version & 1U) == 0 && memory.version.load() == version) {
            AlarmRecord record;
            std::memcpy(static_cast<void*>(&record), words.data(), sizeof(record));
            return record;
        }
        std::this_thread::yield();
    }
    return {};
}

AlarmRecord makeAlarm(int raisedBy, int culprit, const Error& error, std::uint64_t sequence)
{
    AlarmRecord record;
    record.sequence = sequence;
    record.raisedBy = raisedBy;
    record.culprit = culprit;
    copyText(record.code, codeName(error.code));
    copyText(record.reason, describe(error));
    return record;
}

Error endedError(Ending ending, int rank, const std::string& operation)
{
    return {{codeOfEnding(ending), {{"rank", std::to_string(rank)}, {"operation", operation}}, {}},
            {}};
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
