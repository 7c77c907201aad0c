#include "engine/control/TraceWriter.h"

#include <algorithm>
#include <ostream>

namespace ringmaster {

namespace {

/// More at a time stand over each other in the last.
constexpr size_t MostLanes = 64;

} // namespace

TraceWriter::TraceWriter(std::ostream& out, std::int64_t originNs)
    : m_out(out), m_originNs(originNs)
{
    m_out << "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
}

void TraceWriter::put(const Json& event)
{
    m_out << (std::exchange(m_isFirst, false) ? "\n" : ",\n")
          << event.dump(-1, ' ', false, Json::error_handler_t::replace);
}

double TraceWriter::microseconds(std::int64_t ns) const
{
    return static_cast<double>(ns - m_originNs) / 1e3;
}

/// `what`: "process", or "thread".
void TraceWriter::label(const std::string& what, const Json& of, const std::string& text, int place)
{
    Json named = of;
    named.update({{"ph", "M"}, {"name", what + "_name"}, {"args", {{"name", text}}}});
    put(named);
    Json placed = of;
    placed.update({{"ph", "M"}, {"name", what + "_sort_index"}, {"args", {{"sort_index", place}}}});
    put(placed);
}

void TraceWriter::name(int process, const std::string& text, int place)
{
    label("process", {{"pid", process}}, text, place);
}

int TraceWriter::laneOf(const Row& row, const Slice& slice)
{
    std::vector<Lane>& lanes = m_lanes[row];
    auto lane =
        std::ranges::find_if(lanes, [&](const Lane& one) { return one.untilNs <= slice.fromNs; });
    if (lane == lanes.end() && lanes.size() == MostLanes)
        --lane;
    if (lane == lanes.end()) {
        lane = lanes.insert(lane, {.thread = ++m_threads[row.process]});
        label("thread", {{"pid", row.process}, {"tid", lane->thread}}, row.name, lane->thread);
    }
    lane->untilNs = std::max(lane->untilNs, slice.untilNs);
    return lane->thread;
}

void TraceWriter::write(const Row& row, const Slice& slice)
{
    const int thread = laneOf(row, slice);
    put({{"ph", "X"},
         {"name", slice.name},
         {"cat", slice.category},
         {"pid", row.process},
         {"tid", thread},
         {"ts", microseconds(slice.fromNs)},
         {"dur",
          static_cast<double>(std::max<std::int64_t>(slice.untilNs - slice.fromNs, 0)) / 1e3},
         {"args", slice.arguments}});
}

void TraceWriter::mark(int process, const std::string& name, std::int64_t atNs, Json arguments)
{
    put({{"ph", "i"},
         {"name", name},
         {"cat", "job"},
         {"s", "g"},
         {"pid", process},
         {"tid", 0},
         {"ts", microseconds(atNs)},
         {"args", std::move(arguments)}});
}

void TraceWriter::finish()
{
    m_out << "\n]}\n";
}

} // namespace ringmaster
