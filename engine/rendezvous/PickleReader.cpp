#include "engine/rendezvous/PickleReader.h"

#include "engine/base/ByteCursor.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/PickleOpcodes.h"

#include <limits>

namespace ringmaster::pickle {

namespace {

constexpr size_t LongestInput = 8U << 20U;
constexpr std::uint32_t MarkSlot = std::numeric_limits<std::uint32_t>::max();

using Index = std::uint32_t;

/// Python's pickle machine (Lib/pickletools.py describes each opcode), reduced to data.
class Machine
{
public:
    explicit Machine(std::string_view bytes) : m_bytes(bytes) {}

    Result<Document> run()
    {
        if (m_bytes.left() > LongestInput)
            return refuse("too long");
        while (m_error.empty() && !m_stopped && !m_bytes.hasEndedEarly())
            step();
        if (m_bytes.hasEndedEarly())
            m_error = "it ends too early";
        if (!m_error.empty())
            return refuse(m_error);
        if (m_stack.size() != 1 || m_stack.front() == MarkSlot || m_bytes.left() > 0)
            return refuse("bytes or values are left over");
        m_document.root = m_stack.front();
        return std::move(m_document);
    }

private:
    static tl::unexpected<Error> refuse(std::string why)
    {
        return fail(code::RendezvousStateRefused, {}, std::move(why));
    }

    void step()
    {
        const auto opcode = static_cast<Opcode>(m_bytes.takeNumber(1));
        if (m_bytes.hasEndedEarly())
            return;
        switch (opcode) {
        case Opcode::Protocol: return requireProtocol();
        case Opcode::Frame: return static_cast<void>(m_bytes.takeNumber(8));
        case Opcode::Stop: m_stopped = true; return;
        case Opcode::Mark: return m_stack.push_back(MarkSlot);
        case Opcode::Memoize: return memoize();
        case Opcode::BinGet: return get(m_bytes.takeNumber(1));
        case Opcode::LongBinGet: return get(m_bytes.takeNumber(4));
        case Opcode::None: return push({Value::Kind::None});
        case Opcode::NewTrue: return push({Value::Kind::Bool, 1});
        case Opcode::NewFalse: return push({Value::Kind::Bool, 0});
        case Opcode::BinInt1:
            return push({Value::Kind::Int, static_cast<std::int64_t>(m_bytes.takeNumber(1))});
        case Opcode::BinInt2:
            return push({Value::Kind::Int, static_cast<std::int64_t>(m_bytes.takeNumber(2))});
        case Opcode::BinInt:
            return push({Value::Kind::Int, static_cast<std::int32_t>(
                                               static_cast<std::uint32_t>(m_bytes.takeNumber(4)))});
        case Opcode::Long1: return pushLong();
        case Opcode::ShortBinUnicode: return pushText(Value::Kind::Text, m_bytes.takeNumber(1));
        case Opcode::BinUnicode: return pushText(Value::Kind::Text, m_bytes.takeNumber(4));
        case Opcode::ShortBinBytes: return pushText(Value::Kind::Bytes, m_bytes.takeNumber(1));
        case Opcode::EmptyTuple: return push({Value::Kind::Tuple});
        case Opcode::Tuple1: return pushTuple(1);
        case Opcode::Tuple2: return pushTuple(2);
        case Opcode::Tuple3: return pushTuple(3);
        case Opcode::EmptyDict: return push({Value::Kind::Dict});
        case Opcode::EmptySet: return push({Value::Kind::Set});
        case Opcode::SetItem: return appendTo(Value::Kind::Dict, take(2));
        case Opcode::SetItems: return appendTo(Value::Kind::Dict, takeToMark());
        case Opcode::AddItems: return appendTo(Value::Kind::Set, takeToMark());
        case Opcode::StackGlobal: return pushGlobal();
        case Opcode::NewObject: return pushObject();
        case Opcode::Reduce: return pushCall();
        case Opcode::Build: return build();
        }
        m_error = "opcode " + std::to_string(static_cast<int>(opcode)) + " isn't allowed";
    }

    void requireProtocol()
    {
        const std::uint64_t version = m_bytes.takeNumber(1);
        if (m_error.empty() && version != 4 && version != 5)
            m_error = "pickle protocol " + std::to_string(version);
    }

    void push(Value value)
    {
        m_stack.push_back(static_cast<Index>(m_document.values.size()));
        m_document.values.push_back(std::move(value));
    }

    void pushText(Value::Kind kind, std::uint64_t length)
    {
        push({kind, 0, std::string(m_bytes.take(length)), {}});
    }

    void pushLong()
    {
        const std::uint64_t size = m_bytes.takeNumber(1);
        if (size > 8)
            m_error = "a number is too large";
        else
            push({Value::Kind::Int, m_bytes.takeSigned(size)});
    }

    std::vector<Index> take(size_t count)
    {
        std::vector<Index> taken;
        if (m_stack.size() < count) {
            m_error = "the stack is too short";
            return taken;
        }
        taken.assign(m_stack.end() - static_cast<std::ptrdiff_t>(count), m_stack.end());
        m_stack.resize(m_stack.size() - count);
        for (const Index index : taken) {
            if (index == MarkSlot)
                m_error = "a mark where a value should be";
        }
        return taken;
    }

    std::vector<Index> takeToMark()
    {
        size_t count = 0;
        while (count < m_stack.size() && m_stack[m_stack.size() - 1 - count] != MarkSlot)
            ++count;
        if (count == m_stack.size()) {
            m_error = "a mark is missing";
            return {};
        }
        std::vector<Index> taken = take(count);
        m_stack.pop_back();
        return taken;
    }

    /// The value on top of the stack, or null with the error set.
    Value* top(Value::Kind kind)
    {
        if (m_stack.empty() || m_stack.back() == MarkSlot ||
            m_document.values[m_stack.back()].kind != kind) {
            m_error = "another value was expected";
            return nullptr;
        }
        return &m_document.values[m_stack.back()];
    }

    void pushTuple(size_t count)
    {
        std::vector<Index> items = take(count);
        if (m_error.empty())
            push({Value::Kind::Tuple, 0, {}, std::move(items)});
    }

    void appendTo(Value::Kind kind, const std::vector<Index>& items)
    {
        if (!m_error.empty())
            return;
        if (kind == Value::Kind::Dict && items.size() % 2 != 0) {
            m_error = "a key without a value";
            return;
        }
        if (Value* container = top(kind))
            container->items.insert(container->items.end(), items.begin(), items.end());
    }

    bool isKind(Index index, Value::Kind kind) const
    {
        return m_document.values[index].kind == kind;
    }

    void pushGlobal()
    {
        const std::vector<Index> names = take(2);
        if (!m_error.empty())
            return;
        if (!isKind(names[0], Value::Kind::Text) || !isKind(names[1], Value::Kind::Text)) {
            m_error = "a class name isn't text";
            return;
        }
        push({Value::Kind::Global,
              0,
              m_document.values[names[0]].text + "\n" + m_document.values[names[1]].text,
              {}});
    }

    void pushObject()
    {
        const std::vector<Index> parts = take(2);
        if (!m_error.empty())
            return;
        if (!isKind(parts[0], Value::Kind::Global) || !isKind(parts[1], Value::Kind::Tuple) ||
            !m_document.values[parts[1]].items.empty()) {
            m_error = "an object isn't made from a class alone";
            return;
        }
        push({Value::Kind::Object, 0, {}, {parts[0]}});
    }

    void pushCall()
    {
        const std::vector<Index> parts = take(2);
        if (!m_error.empty())
            return;
        if (!isKind(parts[0], Value::Kind::Global) || !isKind(parts[1], Value::Kind::Tuple)) {
            m_error = "only a class can be called";
            return;
        }
        push({Value::Kind::Call, 0, {}, parts});
    }

    void build()
    {
        const std::vector<Index> state = take(1);
        if (!m_error.empty())
            return;
        Value* object = top(Value::Kind::Object);
        if (object == nullptr)
            return;
        if (object->items.size() != 1 || !isKind(state[0], Value::Kind::Dict)) {
            m_error = "an object is built twice or not from a dict";
            return;
        }
        object->items.push_back(state[0]);
    }

    void memoize()
    {
        if (m_stack.empty() || m_stack.back() == MarkSlot)
            m_error = "nothing to remember";
        else
            m_memo.push_back(m_stack.back());
    }

    void get(std::uint64_t slot)
    {
        if (slot >= m_memo.size())
            m_error = "nothing is remembered there";
        else
            m_stack.push_back(m_memo[slot]);
    }

    ByteCursor m_bytes;
    Document m_document;
    std::vector<Index> m_stack;
    std::vector<Index> m_memo;
    std::string m_error;
    bool m_stopped = false;
};

} // namespace

Result<Document> read(std::string_view bytes)
{
    return Machine(bytes).run();
}

} // namespace ringmaster::pickle
