#include "engine/node/NumberReader.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto NumberInterval = 150ms;
constexpr size_t NumberPage = 1U << 20U;

} // namespace

NumberReader::NumberReader(EventLoop& loop, RunFolder folder, NumberRules rules, Read read)
    : m_loop(loop), m_folder(std::move(folder)), m_rules(std::move(rules)), m_read(std::move(read))
{
}

NumberReader::~NumberReader()
{
    m_thread.stop();
    m_again.cancel(); // while its loop is there
}

void NumberReader::start(From from)
{
    m_thread.post([this, from, reading = ++m_reading] {
        m_from = from;
        m_cursor = 0;
        m_scanner = NumberScanner(m_rules);
        look(reading);
    });
}

void NumberReader::stop()
{
    ++m_reading;
    m_thread.post([this] { m_again.cancel(); });
}

void NumberReader::look(std::uint64_t reading)
{
    m_again = m_thread.loop().callAfter(NumberInterval, [this, reading] { look(reading); });
    std::vector<PrintedNumbers> found;
    const bool isAll = readOn(found);
    leave(reading, std::move(found), isAll);
    m_loop.post([this, alive = std::weak_ptr<bool>(m_isAlive)] {
        if (!alive.expired())
            tell();
    });
}

void NumberReader::leave(std::uint64_t reading, std::vector<PrintedNumbers> printed, bool isAll)
{
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_found.reading, reading) != reading)
        m_found.printed.clear();
    std::ranges::move(printed, std::back_inserter(m_found.printed));
    m_found.isAll = isAll;
}

void NumberReader::tell()
{
    Found found;
    {
        const std::lock_guard lock(m_mutex);
        found = std::exchange(m_found, Found{.reading = m_found.reading, .isAll = m_found.isAll});
    }
    if (found.reading == m_reading)
        m_read(found.printed, found.isAll);
}

void NumberReader::finish(std::function<void()> settle, std::chrono::milliseconds patience)
{
    const auto isRead = std::make_shared<std::promise<void>>();
    m_thread.post([this, isRead, settle = std::move(settle), reading = m_reading] {
        m_again.cancel();
        settle();
        std::vector<PrintedNumbers> found;
        for (std::uint64_t before = m_cursor; !readOn(found) && m_cursor != before;)
            before = m_cursor;
        leave(reading, std::move(found), true);
        isRead->set_value();
    });
    (void)isRead->get_future().wait_for(patience);
    tell();
    ++m_reading;
}

/// A run without a readable file has no numbers: that is said by whoever misses them.
bool NumberReader::readOn(std::vector<PrintedNumbers>& all)
{
    const NumberScanner::Sink sink = [&all](const NumberScanner::Found& found) {
        all.push_back({found.attempt, found.globalRank, found.numbers});
    };
    const auto page = nextPage();
    if (!page)
        return true;
    for (const LogChunk& chunk : page->chunks) {
        m_scanner.scan(chunk, sink);
        m_cursor = chunk.cursor;
    }
    const bool isAll = m_cursor >= page->lastCursor;
    if (isAll)
        m_scanner.scanOpenBars(sink);
    return isAll;
}

Result<LogPage> NumberReader::nextPage()
{
    if (!m_reader)
        m_reader.emplace(RM_TRY(m_folder.openReader()));
    if (std::exchange(m_from, From::Beginning) == From::Now)
        return m_reader->readLog(
            {.direction = LogQuery::Direction::Backward, .maxBytes = NumberPage});
    return m_reader->readLog({.cursor = m_cursor, .maxBytes = NumberPage});
}

} // namespace ringmaster
