#include "engine/ledger/LedgerWriter.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster::ledger {

std::int64_t monotonicNs()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

namespace {

struct Mapping
{
    void* memory = MAP_FAILED;
    std::size_t size = 0;
    bool isFile = true;
};

/// errno says why there is no memory, where it is a file.
Mapping mapFile(const char* path)
{
    Mapping mapping;
    const int fd = ::open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat info = {};
    if (fd < 0 || ::fstat(fd, &info) != 0)
        return mapping;
    mapping.size = static_cast<std::size_t>(info.st_size);
    mapping.isFile = S_ISREG(info.st_mode) && mapping.size >= HeaderBytes;
    if (mapping.isFile)
        mapping.memory = ::mmap(nullptr, mapping.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    const int error = errno;
    ::close(fd);
    errno = error;
    return mapping;
}

} // namespace

LedgerWriter::Attached LedgerWriter::attach(const char* path, Recorder recorder,
                                            std::string_view version)
{
    const Mapping mapping = mapFile(path);
    if (!mapping.isFile)
        return {{}, Refusal::NotOne, 0};
    if (mapping.memory == MAP_FAILED)
        return {{}, Refusal::NotReadable, static_cast<std::uint32_t>(errno)};
    Header header = {};
    std::memcpy(&header, mapping.memory, offsetof(Header, writerPid));
    Attached result;
    result.refusal = check(header, mapping.size, result.found);
    if (result.refusal != Refusal::None) {
        ::munmap(mapping.memory, mapping.size);
        return result;
    }
    std::unique_ptr<LedgerWriter> writer(new LedgerWriter(mapping.memory, mapping.size, header));
    if (!writer->claim(result.found)) {
        result.refusal = Refusal::Taken;
        return result;
    }
    writer->releaseAbandonedSlots();
    writer->announce(recorder, version);
    result.writer = std::move(writer);
    return result;
}

std::unique_ptr<LedgerWriter> LedgerWriter::join(const char* path)
{
    const Mapping mapping = mapFile(path);
    if (mapping.memory == MAP_FAILED)
        return nullptr;
    Header header = {};
    std::memcpy(&header, mapping.memory, offsetof(Header, writerPid));
    std::uint32_t found = 0;
    const bool isOne = check(header, mapping.size, found) == Refusal::None;
    const auto* shared = static_cast<const Header*>(mapping.memory);
    const auto self = static_cast<std::uint32_t>(::getpid());
    if (isOne && __atomic_load_n(&shared->writerPid, __ATOMIC_ACQUIRE) == self)
        return std::unique_ptr<LedgerWriter>(
            new LedgerWriter(mapping.memory, mapping.size, header));
    ::munmap(mapping.memory, mapping.size);
    return nullptr;
}

LedgerWriter::LedgerWriter(void* memory, std::size_t size, const Header& checked)
    : m_header(static_cast<Header*>(memory))
    , m_groups(static_cast<char*>(memory) + HeaderBytes)
    , m_sites(m_groups + checked.groupBytes)
    , m_slots(reinterpret_cast<Record*>(m_sites + checked.siteBytes))
    , m_size(size)
    , m_slotCount(checked.slots)
    , m_groupBytes(checked.groupBytes)
    , m_siteBytes(checked.siteBytes)
{
}

LedgerWriter::~LedgerWriter()
{
    ::munmap(m_header, m_size);
}

LedgerWriter::Refusal LedgerWriter::check(const Header& header, std::size_t size,
                                          std::uint32_t& found)
{
    if (header.magic != Magic)
        return Refusal::NotOne;
    if (header.version != Version) {
        found = header.version;
        return Refusal::OtherVersion;
    }
    const bool isWhole = header.headerBytes == HeaderBytes &&
                         header.recordBytes == sizeof(Record) && header.slots > 0 &&
                         (header.slots & (header.slots - 1)) == 0 && header.groupBytes % 64 == 0 &&
                         header.siteBytes % 64 == 0 &&
                         fileBytes(header.slots, header.groupBytes, header.siteBytes) == size;
    return isWhole ? Refusal::None : Refusal::NotOne;
}

bool LedgerWriter::claim(std::uint32_t& holder)
{
    const auto self = static_cast<std::uint32_t>(::getpid());
    std::uint32_t before = __atomic_load_n(&m_header->writerPid, __ATOMIC_ACQUIRE);
    for (;;) {
        const bool isFree = before == 0 || before == self ||
                            (::kill(static_cast<pid_t>(before), 0) != 0 && errno == ESRCH);
        holder = before;
        if (!isFree)
            return false;
        if (__atomic_compare_exchange_n(&m_header->writerPid, &before, self, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return true;
    }
}

/// A writer that died in a slot would keep it locked.
void LedgerWriter::releaseAbandonedSlots()
{
    for (std::uint32_t slot = 0; slot < m_slotCount; ++slot) {
        std::uint64_t* state = &m_slots[slot].state;
        const std::uint64_t now = __atomic_load_n(state, __ATOMIC_RELAXED);
        if ((now & 1U) != 0)
            __atomic_store_n(state, now - 1, __ATOMIC_RELAXED);
    }
}

void LedgerWriter::announce(Recorder recorder, std::string_view version)
{
    Call call;
    call.name = version;
    Record record = recordOf(RecordKind::Attached, static_cast<std::uint64_t>(::getpid()), call);
    record.recorder = recorder;
    record.enqueuedNs = monotonicNs();
    put(take(), record);
}

std::uint64_t LedgerWriter::take()
{
    return __atomic_fetch_add(&m_header->head, 1, __ATOMIC_ACQ_REL);
}

/// A seqlock a slot. The stores of the content are releases, so that whoever reads new content sees
/// the slot marked as well.
void LedgerWriter::put(std::uint64_t ticket, const Record& record)
{
    Record& slot = m_slots[ticket & (m_slotCount - 1)];
    const std::uint64_t done = stateOf(ticket);
    std::uint64_t before = __atomic_load_n(&slot.state, __ATOMIC_RELAXED);
    // Odd: another thread has been in this slot for a whole turn of the ring.
    if ((before & 1U) != 0 || before >= done ||
        !__atomic_compare_exchange_n(&slot.state, &before, done - 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return; // the reader misses this ticket
    constexpr std::size_t Words = sizeof(Record) / sizeof(std::uint64_t);
    std::uint64_t words[Words];
    std::memcpy(words, &record, sizeof record);
    auto* into = reinterpret_cast<std::uint64_t*>(&slot);
    for (std::size_t word = 1; word < Words; ++word)
        __atomic_store_n(into + word, words[word], __ATOMIC_RELEASE);
    __atomic_store_n(&slot.state, done, __ATOMIC_RELEASE);
    ringBell(ticket);
}

void LedgerWriter::ringBell(std::uint64_t ticket)
{
    const std::uint64_t read = __atomic_load_n(&m_header->readPosition, __ATOMIC_RELAXED);
    if (m_bell < 0 || ticket - read < m_slotCount / 2 ||
        __atomic_load_n(&m_header->bellRung, __ATOMIC_RELAXED) != 0)
        return;
    if (__atomic_exchange_n(&m_header->bellRung, 1, __ATOMIC_RELAXED) == 0)
        (void)!::write(m_bell, "!", 1);
}

Record LedgerWriter::recordOf(RecordKind kind, std::uint64_t operation, const Call& call)
{
    Record record = {};
    record.operation = operation;
    record.bytes = call.bytes;
    record.elements = call.elements;
    record.number = call.number;
    record.group = call.group;
    record.kind = call.kind;
    record.record = kind;
    record.type = call.type;
    record.peer = call.peer;
    record.tag = call.tag;
    thread_local const auto thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    record.thread = thread;
    record.algorithm = call.algorithm;
    record.caller = call.caller;
    record.backend = call.backend;
    record.site = call.site;
    record.reduction = call.reduction;
    if (!call.name.empty())
        std::memcpy(record.name, call.name.data(),
                    call.name.size() < sizeof record.name ? call.name.size() : sizeof record.name);
    return record;
}

std::uint64_t LedgerWriter::begin(const Call& call, std::int64_t enqueuedNs)
{
    const std::uint64_t ticket = take();
    Record record = recordOf(RecordKind::Open, ticket, call);
    record.enqueuedNs = enqueuedNs;
    put(ticket, record);
    return ticket;
}

void LedgerWriter::end(std::uint64_t operation, const Call& call, std::int64_t enqueuedNs,
                       std::int64_t startedNs, std::int64_t endedNs, bool failed,
                       CallerReturn caller)
{
    Record record = recordOf(failed ? RecordKind::Failed : RecordKind::Done, operation, call);
    record.enqueuedNs = enqueuedNs;
    record.startedNs = startedNs;
    record.endedNs = endedNs;
    record.returnedNs = caller.ns;
    record.isAwaited = caller.isToCome ? 1 : 0;
    put(take(), record);
}

void LedgerWriter::returned(std::uint64_t operation, const Call& call, std::int64_t returnedNs)
{
    Record record = recordOf(RecordKind::Returned, operation, call);
    record.returnedNs = returnedNs;
    put(take(), record);
}

std::uint64_t LedgerWriter::deviceBegin(const Call& call, std::int64_t enqueuedNs)
{
    const std::uint64_t ticket = take();
    Record record = recordOf(RecordKind::DeviceBegun, ticket, call);
    record.enqueuedNs = enqueuedNs;
    put(ticket, record);
    return ticket;
}

void LedgerWriter::deviceEnd(std::uint64_t launch, const Call& call, std::int64_t startedNs,
                             std::int64_t endedNs, std::uint32_t channels)
{
    Record record = recordOf(RecordKind::DeviceEnded, launch, call);
    record.startedNs = startedNs;
    record.endedNs = endedNs;
    record.channels = channels;
    put(take(), record);
}

char* LedgerWriter::placeIn(char* area, std::uint32_t areaBytes, std::uint64_t used,
                            std::size_t bytes)
{
    return used > areaBytes || bytes > areaBytes - used ? nullptr : area + used;
}

std::uint32_t LedgerWriter::addGroup(std::string_view name,
                                     const std::vector<std::int32_t>& members)
{
    const std::lock_guard<std::mutex> guard(m_areaMutex);
    const std::uint32_t group = __atomic_fetch_add(&m_header->groups, 1, __ATOMIC_RELAXED);
    name = name.substr(0, LongestGroupName);
    const std::size_t memberBytes = members.size() * sizeof(std::int32_t);
    const std::size_t bytes = (sizeof(GroupEntry) + name.size() + memberBytes + 7) / 8 * 8;
    const std::uint64_t used = __atomic_load_n(&m_header->groupsUsed, __ATOMIC_RELAXED);
    char* at = placeIn(m_groups, m_groupBytes, used, bytes);
    if (at == nullptr) {
        __atomic_fetch_add(&m_header->groupsUnnamed, 1, __ATOMIC_RELAXED);
        return group;
    }
    const GroupEntry entry{static_cast<std::uint32_t>(bytes), group,
                           static_cast<std::uint32_t>(name.size()),
                           static_cast<std::uint32_t>(members.size())};
    std::memcpy(at, &entry, sizeof entry);
    std::memcpy(at + sizeof entry, name.data(), name.size());
    if (!members.empty())
        std::memcpy(at + sizeof entry + name.size(), members.data(), memberBytes);
    __atomic_store_n(&m_header->groupsUsed, used + bytes, __ATOMIC_RELEASE);
    return group;
}

std::uint16_t LedgerWriter::addSite(std::string_view file, std::string_view function,
                                    std::uint32_t line)
{
    const std::lock_guard<std::mutex> guard(m_areaMutex);
    if (file.size() > LongestSiteFile)
        file.remove_prefix(file.size() - LongestSiteFile);
    function = function.substr(0, LongestSiteFunction);
    const std::uint32_t sites = __atomic_load_n(&m_header->sites, __ATOMIC_RELAXED);
    const std::uint64_t used = __atomic_load_n(&m_header->sitesUsed, __ATOMIC_RELAXED);
    const std::size_t bytes = (sizeof(SiteEntry) + file.size() + function.size() + 7) / 8 * 8;
    char* at = sites < MostSites ? placeIn(m_sites, m_siteBytes, used, bytes) : nullptr;
    if (at == nullptr) {
        __atomic_fetch_add(&m_header->sitesUnnamed, 1, __ATOMIC_RELAXED);
        return 0;
    }
    const SiteEntry entry{
        static_cast<std::uint32_t>(bytes),           line,
        static_cast<std::uint16_t>(sites + 1),       static_cast<std::uint16_t>(file.size()),
        static_cast<std::uint16_t>(function.size()), 0};
    std::memcpy(at, &entry, sizeof entry);
    std::memcpy(at + sizeof entry, file.data(), file.size());
    std::memcpy(at + sizeof entry + file.size(), function.data(), function.size());
    __atomic_store_n(&m_header->sites, sites + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&m_header->sitesUsed, used + bytes, __ATOMIC_RELEASE);
    return entry.site;
}

} // namespace ringmaster::ledger
