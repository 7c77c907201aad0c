#include "engine/rendezvous/StateCodec.h"

#include "engine/rendezvous/Base64.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/PickleReader.h"
#include "engine/rendezvous/PickleWriter.h"

#include <array>

namespace ringmaster {

namespace {

using pickle::Document;
using pickle::Value;
using Kind = pickle::Value::Kind;

constexpr std::string_view StateModule = "torch.distributed.elastic.rendezvous.dynamic_rendezvous";
constexpr size_t LongestAddress = 1024;

/// Turns the generic document into a state; every method fails on the first thing that isn't as it
/// should be.
class StateReader
{
public:
    explicit StateReader(const Document& document) : m_document(document) {}

    Result<RendezvousState> read()
    {
        const auto fields =
            RM_TRY(fieldsOf(m_document.at(m_document.root), "_RendezvousState",
                            std::array<std::string_view, 8>{"round", "complete", "deadline",
                                                            "closed", "participants", "wait_list",
                                                            "redundancy_list", "last_heartbeats"}));
        RendezvousState state;
        state.round = RM_TRY(integer(*fields[0]));
        state.complete = RM_TRY(boolean(*fields[1]));
        if (fields[2]->kind != Kind::None)
            state.deadline = RM_TRY(time(*fields[2]));
        state.closed = RM_TRY(boolean(*fields[3]));
        RM_TRY(readDict(*fields[4], [&](NodeDescription node, const Value& rank) -> Result<void> {
            state.participants[std::move(node)] = RM_TRY(integer(rank));
            return {};
        }));
        state.waitList = RM_TRY(nodeSet(*fields[5]));
        state.redundancyList = RM_TRY(nodeSet(*fields[6]));
        RM_TRY(readDict(*fields[7], [&](NodeDescription node, const Value& beat) -> Result<void> {
            state.lastHeartbeats[std::move(node)] = RM_TRY(time(beat));
            return {};
        }));
        return state;
    }

private:
    static tl::unexpected<Error> refuse(std::string why)
    {
        return fail(code::RendezvousStateRefused, {}, std::move(why));
    }

    const Value& item(const Value& value, size_t index) const
    {
        return m_document.at(value.items.at(index));
    }

    bool isGlobal(const Value& value, std::string_view module, std::string_view name) const
    {
        return value.kind == Kind::Global &&
               value.text == std::string(module) + "\n" + std::string(name);
    }

    /// The values of an object's fields, in the order of `names`; exactly these fields, no more.
    template <size_t Count>
    Result<std::array<const Value*, Count>>
    fieldsOf(const Value& object, std::string_view className,
             const std::array<std::string_view, Count>& names) const
    {
        if (object.kind != Kind::Object || object.items.size() != 2 ||
            !isGlobal(item(object, 0), StateModule, className))
            return refuse("it isn't a " + std::string(className));
        const Value& dict = item(object, 1);
        std::array<const Value*, Count> found{};
        for (size_t at = 0; at + 1 < dict.items.size(); at += 2) {
            const Value& key = item(dict, at);
            size_t index = 0;
            while (index < Count && (key.kind != Kind::Text || key.text != names[index]))
                ++index;
            if (index == Count)
                return refuse("unknown field '" +
                              (key.kind == Kind::Text ? key.text.substr(0, 64) : "") +
                              "': is this a newer torch?");
            found[index] = &item(dict, at + 1);
        }
        for (size_t index = 0; index < Count; ++index) {
            if (found[index] == nullptr)
                return refuse("field '" + std::string(names[index]) + "' is missing");
        }
        return found;
    }

    static Result<std::int64_t> integer(const Value& value)
    {
        if (value.kind != Kind::Int)
            return refuse("a number was expected");
        return value.number;
    }

    static Result<bool> boolean(const Value& value)
    {
        if (value.kind != Kind::Bool)
            return refuse("True or False was expected");
        return value.number != 0;
    }

    Result<NodeDescription> node(const Value& value) const
    {
        const auto fields = RM_TRY(fieldsOf(
            value, "_NodeDesc", std::array<std::string_view, 3>{"addr", "pid", "local_id"}));
        if (fields[0]->kind != Kind::Text || fields[0]->text.size() > LongestAddress)
            return refuse("a node's address isn't text");
        const auto pid = RM_TRY(integer(*fields[1]));
        const auto localId = RM_TRY(integer(*fields[2]));
        return NodeDescription{fields[0]->text, pid, localId};
    }

    template <class Take>
    Result<void> readDict(const Value& dict, Take take) const
    {
        if (dict.kind != Kind::Dict)
            return refuse("a dict was expected");
        for (size_t at = 0; at + 1 < dict.items.size(); at += 2)
            RM_TRY(take(RM_TRY(node(item(dict, at))), item(dict, at + 1)));
        return {};
    }

    Result<std::set<NodeDescription>> nodeSet(const Value& value) const
    {
        if (value.kind != Kind::Set)
            return refuse("a set was expected");
        std::set<NodeDescription> nodes;
        for (size_t at = 0; at < value.items.size(); ++at)
            nodes.insert(RM_TRY(node(item(value, at))));
        return nodes;
    }

    bool isCall(const Value& value, std::string_view className, size_t arguments) const
    {
        return value.kind == Kind::Call && isGlobal(item(value, 0), "datetime", className) &&
               item(value, 1).items.size() == arguments;
    }

    bool isUtc(const Value& zone) const
    {
        if (!isCall(zone, "timezone", 1))
            return false;
        const Value& offset = item(item(zone, 1), 0);
        if (!isCall(offset, "timedelta", 3))
            return false;
        for (size_t i = 0; i < 3; ++i) {
            const Value& part = item(item(offset, 1), i);
            if (part.kind != Kind::Int || part.number != 0)
                return false;
        }
        return true;
    }

    /// datetime's own ten bytes: year (big-endian), month, day, hour, minute, second, microsecond
    /// (big-endian).
    Result<StateTime> time(const Value& value) const
    {
        using namespace std::chrono;
        if (!isCall(value, "datetime", 2) || !isUtc(item(item(value, 1), 1)))
            return refuse("a time in UTC was expected");
        const Value& packed = item(item(value, 1), 0);
        if (packed.kind != Kind::Bytes || packed.text.size() != 10)
            return refuse("a time isn't ten bytes");
        const auto byte = [&](size_t i) {
            return static_cast<unsigned>(static_cast<unsigned char>(packed.text[i]));
        };
        const year_month_day date{year(static_cast<int>(byte(0) << 8U | byte(1))), month(byte(2)),
                                  day(byte(3))};
        const unsigned micros = byte(7) << 16U | byte(8) << 8U | byte(9);
        if (!date.ok() || byte(4) > 23 || byte(5) > 59 || byte(6) > 59 || micros > 999'999)
            return refuse("there is no such time");
        return StateTime(sys_days(date).time_since_epoch() + hours(byte(4)) + minutes(byte(5)) +
                         seconds(byte(6)) + microseconds(micros));
    }

    const Document& m_document;
};

class StateWriter
{
public:
    std::string write(const RendezvousState& state)
    {
        beginObject("_RendezvousState");
        field("round", [&] { m_out.integer(state.round); });
        field("complete", [&] { m_out.boolean(state.complete); });
        field("deadline", [&] {
            if (state.deadline)
                time(*state.deadline);
            else
                m_out.none();
        });
        field("closed", [&] { m_out.boolean(state.closed); });
        field("participants",
              [&] { dict(state.participants, [&](std::int64_t rank) { m_out.integer(rank); }); });
        field("wait_list", [&] { nodeSet(state.waitList); });
        field("redundancy_list", [&] { nodeSet(state.redundancyList); });
        field("last_heartbeats",
              [&] { dict(state.lastHeartbeats, [&](StateTime beat) { time(beat); }); });
        endObject();
        return m_out.finish();
    }

private:
    using Opcode = pickle::Opcode;

    void beginObject(std::string_view className)
    {
        m_out.global(StateModule, className);
        m_out.opcode(Opcode::EmptyTuple);
        m_out.opcode(Opcode::NewObject);
        m_out.opcode(Opcode::EmptyDict);
        m_out.opcode(Opcode::Mark);
    }

    void endObject()
    {
        m_out.opcode(Opcode::SetItems);
        m_out.opcode(Opcode::Build);
    }

    template <class Write>
    void field(std::string_view name, Write write)
    {
        m_out.text(name);
        write();
    }

    void node(const NodeDescription& node)
    {
        if (const auto known = m_nodes.find(node); known != m_nodes.end())
            return m_out.get(known->second);
        beginObject("_NodeDesc");
        field("addr", [&] { m_out.text(node.address); });
        field("pid", [&] { m_out.integer(node.pid); });
        field("local_id", [&] { m_out.integer(node.localId); });
        endObject();
        m_nodes.emplace(node, m_out.memoize());
    }

    template <class Map, class Write>
    void dict(const Map& map, Write write)
    {
        m_out.opcode(Opcode::EmptyDict);
        if (map.empty())
            return;
        m_out.opcode(Opcode::Mark);
        for (const auto& [key, value] : map) {
            node(key);
            write(value);
        }
        m_out.opcode(Opcode::SetItems);
    }

    void nodeSet(const std::set<NodeDescription>& nodes)
    {
        m_out.opcode(Opcode::EmptySet);
        if (nodes.empty())
            return;
        m_out.opcode(Opcode::Mark);
        for (const NodeDescription& each : nodes)
            node(each);
        m_out.opcode(Opcode::AddItems);
    }

    void time(StateTime when)
    {
        using namespace std::chrono;
        const auto dayStart = floor<days>(when);
        const year_month_day date{sys_days(dayStart)};
        const hh_mm_ss clock{when - dayStart};
        const auto micros = static_cast<unsigned>(clock.subseconds().count());
        const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
        std::string packed;
        for (const unsigned byte :
             {year >> 8U, year & 255U, static_cast<unsigned>(date.month()),
              static_cast<unsigned>(date.day()), static_cast<unsigned>(clock.hours().count()),
              static_cast<unsigned>(clock.minutes().count()),
              static_cast<unsigned>(clock.seconds().count()), micros >> 16U, micros >> 8U & 255U,
              micros & 255U})
            packed += static_cast<char>(byte);
        m_out.global("datetime", "datetime");
        m_out.bytes(packed);
        utc();
        m_out.opcode(Opcode::Tuple2);
        m_out.opcode(Opcode::Reduce);
    }

    void utc()
    {
        if (m_utc)
            return m_out.get(*m_utc);
        m_out.global("datetime", "timezone");
        m_out.global("datetime", "timedelta");
        for (int i = 0; i < 3; ++i)
            m_out.integer(0);
        m_out.opcode(Opcode::Tuple3);
        m_out.opcode(Opcode::Reduce);
        m_out.opcode(Opcode::Tuple1);
        m_out.opcode(Opcode::Reduce);
        m_utc = m_out.memoize();
    }

    pickle::Writer m_out;
    std::map<NodeDescription, std::uint32_t> m_nodes;
    std::optional<std::uint32_t> m_utc;
};

} // namespace

Result<RendezvousState> decodeState(std::string_view base64)
{
    const auto bytes = decodeBase64(base64);
    if (!bytes)
        return fail(code::RendezvousStateRefused, {}, "it isn't base64");
    const Document document = RM_TRY(pickle::read(*bytes));
    return StateReader(document).read();
}

std::string encodeState(const RendezvousState& state)
{
    return encodeBase64(StateWriter().write(state));
}

} // namespace ringmaster
