// A worker records operations in its ledger and scribbles over it, while its agent reads: no record
// is told twice, what is refused is counted, what is read is kept without loss in blocks and folds,
// and what is said of it stays bounded. The input is a line of [what the worker does] and what that
// needs.

#include "Fuzz.h"
#include "engine/base/FileDescriptor.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/diagnose/OperationAggregator.h"
#include "engine/ledger/LedgerReader.h"
#include "engine/ledger/LedgerWriter.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/ledger/OperationDecoder.h"

#include <limits>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

constexpr LedgerSegment::Size Size{.slots = 16, .groupBytes = 1024, .siteBytes = 1024};
constexpr std::size_t Bytes = ledger::fileBytes(Size.slots, Size.groupBytes, Size.siteBytes);

class Worker
{
public:
    explicit Worker(const std::string& path)
        : m_writer(ledger::LedgerWriter::attach(path.c_str(), ledger::Recorder::Compiled, "2.11.0")
                       .writer)
    {
        fuzz::require(m_writer != nullptr);
        const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        m_memory = ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
        fuzz::require(m_memory != MAP_FAILED);
    }
    ~Worker() { ::munmap(m_memory, Bytes); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// A record of its own making, in the place of the next: each field is the fuzzer's.
    void forge(fuzz::Input& input)
    {
        auto* header = static_cast<ledger::Header*>(m_memory);
        const std::uint64_t ticket = header->head++;
        auto* slots = reinterpret_cast<ledger::Record*>(
            static_cast<char*>(m_memory) + ledger::HeaderBytes + Size.groupBytes + Size.siteBytes);
        ledger::Record record{};
        const std::string_view content = input.text(sizeof record - sizeof record.state);
        std::memcpy(reinterpret_cast<char*>(&record) + sizeof record.state, content.data(),
                    content.size());
        record.state = ledger::stateOf(ticket);
        slots[ticket % Size.slots] = record;
    }

    void scribble(std::size_t at, std::string_view bytes)
    {
        at %= Bytes;
        std::memcpy(static_cast<char*>(m_memory) + at, bytes.data(),
                    std::min(bytes.size(), Bytes - at));
        m_hasScribbled = true;
    }

    ledger::LedgerWriter& writer() { return *m_writer; }
    bool hasScribbled() const { return m_hasScribbled; }

private:
    std::unique_ptr<ledger::LedgerWriter> m_writer;
    void* m_memory = nullptr;
    bool m_hasScribbled = false;
};

/// What the agent makes of it.
class Agent
{
public:
    explicit Agent(const LedgerSegment& segment) : m_reader(segment) { m_diagnosis.begin(0); }

    void read()
    {
        m_now += LedgerReader::Patience;
        std::vector<ledger::Record> records;
        fuzz::require(m_reader.read(records, m_now) == records.size() &&
                      records.size() <= Size.slots);
        m_records += records.size();
        for (LedgerGroup& group : m_reader.readGroups()) {
            m_track.described(group);
            m_batch.groups.push_back(std::move(group));
        }
        for (CallSite& site : m_reader.readSites()) {
            m_track.described(site);
            m_batch.sites.push_back(std::move(site));
        }
        for (const ledger::Record& record : records)
            take(record);
        fuzz::require(m_reader.fill() >= 0 && m_reader.fill() <= 1);
        // The costly part now and then, as in the agent.
        if (++m_reads % 4 != 0)
            return;
        keep();
        (void)m_diagnosis.look({{.rank = 0, .isRecorded = m_reader.isWritten(), .track = &m_track}},
                               nowNs());
        keep(m_folder.take(nowNs()));
    }

    void finish()
    {
        m_decoder.giveUpReturns(std::numeric_limits<std::int64_t>::max());
        keepTold();
        keep();
        (void)m_diagnosis.end({{.rank = 0, .isRecorded = true, .track = &m_track}}, nowNs());
        keep(m_folder.takeAll());
    }

    std::uint64_t records() const { return m_records; }
    std::uint64_t lost() const { return m_reader.lost(); }
    double fill() const { return m_reader.fill(); }

private:
    std::int64_t nowNs() const
    {
        return std::chrono::nanoseconds(m_now.time_since_epoch()).count();
    }

    void take(const ledger::Record& record)
    {
        if (const auto ended = m_decoder.take(record))
            m_track.seen(*ended);
        const auto running = m_decoder.running().find(record.operation);
        if (running != m_decoder.running().end())
            m_track.seen(running->second);
        if (record.record == ledger::RecordKind::Attached)
            m_track.restarted();
        keepTold();
    }

    void keepTold()
    {
        for (const Operation& operation : m_decoder.takeTold())
            m_batch.operations.push_back(operation);
    }

    void keep()
    {
        if (m_batch == OperationBatch())
            return;
        const auto read = unpackOperations(packOperations(m_batch));
        fuzz::require(read && *read == m_batch);
        m_folder.add(m_batch);
        m_batch = {};
    }

    static void keep(const std::vector<OperationFold>& folds)
    {
        for (const OperationFold& fold : folds) {
            const auto read = unpackFold(packFold(fold));
            fuzz::require(read && *read == fold);
        }
    }

    LedgerReader m_reader;
    LedgerReader::Clock::time_point m_now = LedgerReader::Clock::now();
    OperationDecoder m_decoder;
    OperationBatch m_batch;
    diagnose::RankTrack m_track;
    diagnose::OperationAggregator m_folder;
    diagnose::Diagnosis m_diagnosis;
    std::uint64_t m_records = 0;
    int m_reads = 0;
};

ledger::Call callOf(fuzz::Input& input)
{
    using namespace ledger;
    const auto number = input.number<std::uint8_t>();
    return {.kind = static_cast<OperationKind>(input.number<std::uint8_t>() % OperationKinds),
            .type = DataType::Float32,
            .group = input.number<std::uint8_t>(),
            .peer = input.number<std::int8_t>(),
            .tag = static_cast<std::int32_t>(number % 3),
            .number = number,
            .bytes = input.number<std::uint32_t>(),
            .elements = number,
            .name = input.text(number % 32)};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    auto segment = LedgerSegment::create({.run = "run", .rank = 0, .attempt = 0}, Size);
    fuzz::require(segment.has_value());
    Agent agent(*segment);
    Worker worker(segment->path());
    std::uint64_t written = 1; // That it is attached.
    fuzz::Input input(data, size);
    while (!input.isEmpty()) {
        switch (input.number<std::uint8_t>() % 8) {
        case 0: agent.read(); break;
        case 1:
            (void)worker.writer().begin(callOf(input), input.number<std::int64_t>());
            ++written;
            break;
        case 2: {
            const auto operation = input.number<std::uint8_t>();
            const auto at = input.number<std::int64_t>();
            worker.writer().end(operation, callOf(input), at, 0,
                                at + input.number<std::uint16_t>());
            ++written;
            break;
        }
        case 3: {
            const auto count = input.number<std::uint8_t>() % 16;
            std::vector<std::int32_t> members;
            for (int member = 0; member < count; ++member)
                members.push_back(input.number<std::int8_t>());
            (void)worker.writer().addGroup(input.text(count), members);
            break;
        }
        case 4: {
            const std::size_t length = input.number<std::uint8_t>();
            const std::string_view file = input.text(length);
            (void)worker.writer().addSite(file, file.substr(0, 4), input.number<std::uint32_t>());
            break;
        }
        case 5: {
            const auto at = input.number<std::uint16_t>();
            worker.scribble(at, input.text(input.number<std::uint8_t>()));
            break;
        }
        default:
            worker.forge(input);
            ++written;
            break;
        }
        if (worker.hasScribbled())
            break;
    }
    while (!input.isEmpty()) {
        const auto at = input.number<std::uint16_t>();
        worker.scribble(at, input.text(input.number<std::uint8_t>() % 64));
        agent.read();
    }
    agent.read();
    agent.read();
    // What was begun and isn't complete may still come.
    constexpr int Reads = 4000;
    for (int i = 0; i < Reads && agent.fill() > 0; ++i)
        agent.read();
    if (!worker.hasScribbled())
        fuzz::require(agent.records() + agent.lost() == written);
    agent.finish();
    return 0;
}
