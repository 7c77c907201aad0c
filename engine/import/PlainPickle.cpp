#include "engine/import/PlainPickle.h"

#include "engine/base/ByteCursor.h"
#include "engine/import/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace ringmaster {

namespace {

using Json = nlohmann::json;

constexpr size_t MostValues = 4'000'000;
constexpr size_t MostTextBytes = 64U << 20U;
constexpr int DeepestValue = 32;

/// Those that plain data needs, named as in Python's pickletools. The list is complete: any other
/// opcode is refused.
enum class Plain : unsigned char {
    Mark = '(',
    EmptyTuple = ')',
    Stop = '.',
    BinFloat = 'G',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    None = 'N',
    BinUnicode = 'X',
    EmptyList = ']',
    Append = 'a',
    Appends = 'e',
    BinGet = 'h',
    LongBinGet = 'j',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    SetItems = 'u',
    EmptyDict = '}',
    Protocol = 0x80,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    ShortBinUnicode = 0x8c,
    Memoize = 0x94,
    Frame = 0x95,
};

/// Python's pickle machine (Lib/pickletools.py describes each opcode), reduced to data. Lists and
/// dicts may come several times, as torch writes some: what is made of them in the end is bounded,
/// so that it can't contain itself, nor grow from little.
class PlainMachine
{
public:
    explicit PlainMachine(std::string_view bytes) : m_bytes(bytes) {}

    Result<Json> run()
    {
        while (m_problem.empty() && !m_isStopped && !m_bytes.hasEndedEarly())
            step();
        if (m_bytes.hasEndedEarly())
            m_problem = "it ends too early";
        if (m_isUnsafe)
            return fail(code::ImportUnsafe, {{"reason", m_problem}});
        if (m_problem.empty() && (m_stack.size() != 1 || !m_marks.empty() || m_bytes.left() > 0))
            m_problem = "bytes or values are left over";
        Json made;
        m_counts.resize(m_nodes.size());
        if (m_problem.empty() && countOf(m_stack.front(), 0) > MostValues)
            m_problem = "it has too many values";
        if (m_problem.empty())
            made = valueOf(m_stack.front(), 0);
        if (!m_problem.empty())
            return fail(code::ImportDamaged, {{"reason", m_problem}});
        return made;
    }

private:
    using Index = std::uint32_t;

    struct Node
    {
        enum class Kind { Plain, List, Dict };
        Kind kind = Kind::Plain;
        Json plain{};
        std::vector<Index> items{}; ///< A dict's keys and values in turn.
    };

    void step()
    {
        const auto opcode = static_cast<unsigned char>(m_bytes.takeNumber(1));
        if (m_bytes.hasEndedEarly())
            return;
        switch (static_cast<Plain>(opcode)) {
        case Plain::Protocol:
            if (const std::uint64_t version = m_bytes.takeNumber(1); version < 2 || version > 5)
                m_problem = "pickle protocol " + std::to_string(version);
            return;
        case Plain::Frame: return static_cast<void>(m_bytes.takeNumber(8));
        case Plain::Stop: m_isStopped = true; return;
        case Plain::Mark: m_marks.push_back(m_stack.size()); return;
        case Plain::None: return push(nullptr);
        case Plain::NewTrue: return push(true);
        case Plain::NewFalse: return push(false);
        case Plain::BinInt1: return push(m_bytes.takeNumber(1));
        case Plain::BinInt2: return push(m_bytes.takeNumber(2));
        case Plain::BinInt:
            return pushInteger(
                static_cast<std::int32_t>(static_cast<std::uint32_t>(m_bytes.takeNumber(4))));
        case Plain::Long1: return pushLong();
        case Plain::BinFloat: return pushFloat();
        case Plain::ShortBinUnicode: return pushText(m_bytes.takeNumber(1));
        case Plain::BinUnicode: return pushText(m_bytes.takeNumber(4));
        case Plain::EmptyTuple:
        case Plain::EmptyList: return pushNode({.kind = Node::Kind::List});
        case Plain::EmptyDict: return pushNode({.kind = Node::Kind::Dict});
        case Plain::Tuple: return pushTuple(countToMark());
        case Plain::Tuple1: return pushTuple(1);
        case Plain::Tuple2: return pushTuple(2);
        case Plain::Tuple3: return pushTuple(3);
        case Plain::Append: return appendTo(Node::Kind::List, 1);
        case Plain::Appends: return appendTo(Node::Kind::List, countToMark());
        case Plain::SetItem: return appendTo(Node::Kind::Dict, 2);
        case Plain::SetItems: return appendTo(Node::Kind::Dict, countToMark());
        case Plain::BinPut: return remember(m_bytes.takeNumber(1));
        case Plain::LongBinPut: return remember(m_bytes.takeNumber(4));
        case Plain::Memoize: return remember(m_remembered.size());
        case Plain::BinGet: return recall(m_bytes.takeNumber(1));
        case Plain::LongBinGet: return recall(m_bytes.takeNumber(4));
        }
        m_isUnsafe = true;
        m_problem = "opcode " + std::to_string(opcode);
    }

    void push(Json plain) { pushNode({.plain = std::move(plain)}); }

    /// As the parser of JSON has them: unsigned, where they can be.
    void pushInteger(std::int64_t value)
    {
        value < 0 ? push(value) : push(static_cast<std::uint64_t>(value));
    }

    void pushNode(Node node)
    {
        if (m_nodes.size() >= MostValues)
            m_problem = "it has too many values";
        if (!m_problem.empty())
            return;
        m_stack.push_back(static_cast<Index>(m_nodes.size()));
        m_nodes.push_back(std::move(node));
    }

    void pushText(std::uint64_t length)
    {
        const std::string_view text = m_bytes.take(length);
        if (!isUtf8(text))
            m_problem = "a text isn't UTF-8";
        push(std::string(text));
    }

    void pushLong()
    {
        const std::uint64_t size = m_bytes.takeNumber(1);
        if (size > 8)
            m_problem = "a number is too large";
        else
            pushInteger(m_bytes.takeSigned(size));
    }

    void pushFloat()
    {
        std::uint64_t bits = 0;
        for (const char byte : m_bytes.take(8))
            bits = bits << 8U | static_cast<unsigned char>(byte);
        push(std::bit_cast<double>(bits));
    }

    /// From the last mark on, which is taken.
    size_t countToMark()
    {
        if (m_marks.empty() || m_marks.back() > m_stack.size()) {
            m_problem = "a mark is missing";
            return 0;
        }
        const size_t count = m_stack.size() - m_marks.back();
        m_marks.pop_back();
        return count;
    }

    /// Whether so many values lie on the stack, above the last mark.
    bool has(size_t count)
    {
        const size_t floor = m_marks.empty() ? 0 : m_marks.back();
        if (m_problem.empty() && m_stack.size() < floor + count)
            m_problem = "a value is missing";
        return m_problem.empty();
    }

    std::vector<Index> take(size_t count)
    {
        const auto from = m_stack.end() - static_cast<std::ptrdiff_t>(count);
        std::vector<Index> taken(from, m_stack.end());
        m_stack.erase(from, m_stack.end());
        return taken;
    }

    void pushTuple(size_t count)
    {
        if (has(count))
            pushNode({.kind = Node::Kind::List, .items = take(count)});
    }

    void appendTo(Node::Kind kind, size_t count)
    {
        if (!has(count + 1))
            return;
        const std::vector<Index> parts = take(count);
        Node& node = m_nodes[m_stack.back()];
        if (node.kind != kind || (kind == Node::Kind::Dict && count % 2 != 0))
            m_problem = "a list or dict was expected";
        else
            node.items.insert(node.items.end(), parts.begin(), parts.end());
    }

    void remember(std::uint64_t slot)
    {
        if (has(1))
            m_remembered[slot] = m_stack.back();
    }

    void recall(std::uint64_t slot)
    {
        const auto found = m_remembered.find(slot);
        if (found == m_remembered.end())
            m_problem = "nothing is remembered there";
        else if (m_problem.empty())
            m_stack.push_back(found->second);
    }

    /// Looks at each once, however often it comes.
    size_t countOf(Index index, int depth)
    {
        if (depth > DeepestValue)
            m_problem = "it is too deep";
        if (!m_problem.empty() || m_counts[index] != 0)
            return m_counts[index];
        size_t count = 1;
        for (const Index item : m_nodes[index].items)
            count = std::min(MostValues + 1, count + countOf(item, depth + 1));
        return m_counts[index] = count;
    }

    Json valueOf(Index index, int depth)
    {
        const Node& node = m_nodes[index];
        if (depth > DeepestValue)
            m_problem = "it is too deep";
        if (!m_problem.empty())
            return {};
        if (node.kind == Node::Kind::Plain) {
            m_textBytes +=
                node.plain.is_string() ? node.plain.get_ref<const std::string&>().size() : 0;
            if (m_textBytes > MostTextBytes)
                m_problem = "it has too much text";
            return node.plain;
        }
        if (node.kind == Node::Kind::Dict)
            return dictOf(node, depth);
        Json list = Json::array();
        for (const Index item : node.items) {
            if (m_problem.empty())
                list.push_back(valueOf(item, depth + 1));
        }
        return list;
    }

    Json dictOf(const Node& node, int depth)
    {
        Json dict = Json::object();
        for (size_t i = 0; i < node.items.size() && m_problem.empty(); i += 2) {
            const Json key = valueOf(node.items[i], depth + 1);
            if (!key.is_string() && !key.is_number_integer())
                m_problem = "a key is neither a text nor a number";
            else
                dict[key.is_string() ? key.get<std::string>() : key.dump()] =
                    valueOf(node.items[i + 1], depth + 1);
        }
        return dict;
    }

    ByteCursor m_bytes;
    std::vector<Node> m_nodes;
    std::vector<Index> m_stack;
    std::vector<size_t> m_marks; ///< How much lay on the stack.
    std::map<std::uint64_t, Index> m_remembered;
    std::vector<size_t> m_counts; ///< Of the values that are made of each; 0: not counted yet.
    size_t m_textBytes = 0;
    std::string m_problem;
    bool m_isUnsafe = false;
    bool m_isStopped = false;
};

} // namespace

bool looksLikePickle(std::string_view bytes)
{
    return bytes.size() >= 2 && static_cast<unsigned char>(bytes[0]) == 0x80 && bytes[1] >= 2 &&
           bytes[1] <= 5;
}

Result<nlohmann::json> readPlainPickle(std::string_view bytes)
{
    return PlainMachine(bytes).run();
}

} // namespace ringmaster
