#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"
#include "engine/event/Codes.h"
#include "engine/event/Fields.h"
#include "engine/event/FiniteNumber.h"
#include "engine/event/Proto.h"

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <google/protobuf/message.h>
#include <ringmaster.pb.h>

/// For sources that translate, not for headers: structs with a list of their fields, to and from
/// messages of the contract, by the names. What the contract lacks or has in another type ends the
/// program: each struct goes through it in a test.
namespace ringmaster::fields {

using google::protobuf::FieldDescriptor;
using google::protobuf::Reflection;
using Proto = google::protobuf::Message;

/// How protobuf's reflection sets, adds, gets, and gets one of several.
template <class Value>
struct Access;

#define RM_ACCESS(Value, Name)                                                                     \
    template <>                                                                                    \
    struct Access<Value>                                                                           \
    {                                                                                              \
        static constexpr auto set = &Reflection::Set##Name;                                        \
        static constexpr auto add = &Reflection::Add##Name;                                        \
        static constexpr auto get = &Reflection::Get##Name;                                        \
        static constexpr auto at = &Reflection::GetRepeated##Name;                                 \
    }
RM_ACCESS(bool, Bool);
RM_ACCESS(int, Int32);
RM_ACCESS(std::int64_t, Int64);
RM_ACCESS(std::uint64_t, UInt64);
RM_ACCESS(double, Double);
RM_ACCESS(std::string, String);
#undef RM_ACCESS

template <class Value>
concept IsScalar = requires
{
    Access<Value>::set;
};

template <class Value>
concept IsMessage = HasFields<Value> || std::is_same_v<Value, Message>;

template <HasFields Struct>
void write(const Struct& value, Proto& proto);
template <HasFields Struct>
Result<Struct> read(const Proto& proto);

// ---- The contract's field of a member ----------------------------------------------------------

/// A duration's unit is in the contract's name.
template <class Value>
constexpr std::string_view UnitOf = "";
template <>
inline constexpr std::string_view UnitOf<std::chrono::nanoseconds> = "Ns";
template <>
inline constexpr std::string_view UnitOf<std::chrono::milliseconds> = "Ms";

/// The contract's fields of a struct, in the order of its list.
template <HasFields Struct>
const auto& descriptorsOf(const Proto& proto)
{
    static_assert(IsComplete<Struct>, "a member isn't in its struct's RM_FIELDS");
    static const auto Descriptors = std::apply(
        [&]<class... Values>(const Field<Struct, Values>&... field) {
            [[maybe_unused]] const auto find = [&](std::string_view name, std::string_view unit) {
                const auto* found = proto.GetDescriptor()->FindFieldByCamelcaseName(
                    std::string(name) + std::string(unit));
                GOOGLE_CHECK(found != nullptr) << name << " in " << proto.GetTypeName();
                return found;
            };
            return std::array<const FieldDescriptor*, sizeof...(field)>{
                find(field.name, UnitOf<Values>)...};
        },
        fieldsOf(static_cast<const Struct*>(nullptr)));
    return Descriptors;
}

// ---- Outwards -----------------------------------------------------------------------------------

inline void writeMessage(const Message& value, Proto& proto)
{
    toProto(value, static_cast<v1::Message&>(proto));
}

template <HasFields Struct>
void writeMessage(const Struct& value, Proto& proto)
{
    write(value, proto);
}

class Writer
{
public:
    Writer(Proto& proto, const FieldDescriptor* field)
        : m_proto(proto), m_reflection(*proto.GetReflection()), m_field(field)
    {
    }

    template <IsScalar Value>
    void put(const Value& value) const
    {
        (m_reflection.*Access<Value>::set)(&m_proto, m_field, value);
    }

    /// Every enumeration of the contract is ours moved by one: 0 there means that none was sent.
    template <class Value>
    requires std::is_enum_v<Value>
    void put(Value value) const
    {
        m_reflection.SetEnumValue(&m_proto, m_field, static_cast<int>(value) + 1);
    }

    template <class Number, class Period>
    void put(const std::chrono::duration<Number, Period>& value) const
    {
        put(std::int64_t(value.count()));
    }

    /// One that says nothing is absent.
    template <IsMessage Value>
    void put(const Value& value) const
    {
        if (value != Value{})
            writeMessage(value, *m_reflection.MutableMessage(&m_proto, m_field));
    }

    template <class Value>
    void put(const std::optional<Value>& value) const
    {
        if constexpr (IsMessage<Value>) {
            if (value)
                writeMessage(*value, *m_reflection.MutableMessage(&m_proto, m_field));
        } else if (value) {
            put(*value);
        }
    }

    template <class Value>
    void put(const std::vector<Value>& values) const
    {
        for (const Value& value : values) {
            if constexpr (IsMessage<Value>)
                writeMessage(value, *m_reflection.AddMessage(&m_proto, m_field));
            else
                (m_reflection.*Access<Value>::add)(&m_proto, m_field, value);
        }
    }

    void put(const std::map<std::string, std::string>& values) const
    {
        for (const auto& [key, value] : values) {
            Proto& entry = *m_reflection.AddMessage(&m_proto, m_field);
            const auto& of = *entry.GetReflection();
            of.SetString(&entry, entry.GetDescriptor()->map_key(), key);
            of.SetString(&entry, entry.GetDescriptor()->map_value(), value);
        }
    }

private:
    Proto& m_proto;
    const Reflection& m_reflection;
    const FieldDescriptor* m_field;
};

template <HasFields Struct>
void write(const Struct& value, Proto& proto)
{
    const auto& descriptors = descriptorsOf<Struct>(proto);
    size_t index = 0;
    visitFields<Struct>(
        [&](const auto& field) { Writer(proto, descriptors[index++]).put(value.*field.member); });
}

// ---- Inwards ------------------------------------------------------------------------------------

template <IsMessage Value>
Result<Value> readMessage(const Proto& proto)
{
    if constexpr (std::is_same_v<Value, Message>)
        return fromProto(static_cast<const v1::Message&>(proto));
    else
        return read<Value>(proto);
}

class Reader
{
public:
    Reader(const Proto& proto, const FieldDescriptor* field)
        : m_proto(proto), m_reflection(*proto.GetReflection()), m_field(field)
    {
    }

    template <IsScalar Value>
    Result<void> take(Value& value) const
    {
        value = (m_reflection.*Access<Value>::get)(m_proto, m_field);
        if constexpr (std::is_same_v<Value, double>)
            RM_TRY(finite(value, what()));
        return {};
    }

    template <class Value>
    requires std::is_enum_v<Value> Result<void> take(Value& value)
    const
    {
        const int number = m_reflection.GetEnumValue(m_proto, m_field);
        if (number <= 0)
            return fail(code::MalformedMessage, {{"what", what()}});
        if (m_field->enum_type()->FindValueByNumber(number) == nullptr)
            return fail(code::NewerEvent, {{"what", what() + " " + std::to_string(number)}});
        value = static_cast<Value>(number - 1);
        return {};
    }

    template <class Number, class Period>
    Result<void> take(std::chrono::duration<Number, Period>& value) const
    {
        value = std::chrono::duration<Number, Period>(m_reflection.GetInt64(m_proto, m_field));
        return {};
    }

    template <IsMessage Value>
    Result<void> take(Value& value) const
    {
        if (m_reflection.HasField(m_proto, m_field))
            value = RM_TRY(readMessage<Value>(m_reflection.GetMessage(m_proto, m_field)));
        return {};
    }

    template <class Value>
    Result<void> take(std::optional<Value>& value) const
    {
        return m_reflection.HasField(m_proto, m_field) ? take(value.emplace()) : Result<void>();
    }

    template <class Value>
    Result<void> take(std::vector<Value>& values) const
    {
        const int count = m_reflection.FieldSize(m_proto, m_field);
        values.reserve(static_cast<size_t>(count));
        for (int index = 0; index < count; ++index) {
            if constexpr (IsMessage<Value>)
                values.push_back(RM_TRY(
                    readMessage<Value>(m_reflection.GetRepeatedMessage(m_proto, m_field, index))));
            else
                values.push_back((m_reflection.*Access<Value>::at)(m_proto, m_field, index));
        }
        return {};
    }

    Result<void> take(std::map<std::string, std::string>& values) const
    {
        const int count = m_reflection.FieldSize(m_proto, m_field);
        for (int index = 0; index < count; ++index) {
            const Proto& entry = m_reflection.GetRepeatedMessage(m_proto, m_field, index);
            const auto& of = *entry.GetReflection();
            values.insert_or_assign(of.GetString(entry, entry.GetDescriptor()->map_key()),
                                    of.GetString(entry, entry.GetDescriptor()->map_value()));
        }
        return {};
    }

private:
    /// "RunStateChanged.state"
    std::string what() const { return m_field->containing_type()->name() + "." + m_field->name(); }

    const Proto& m_proto;
    const Reflection& m_reflection;
    const FieldDescriptor* m_field;
};

template <HasFields Struct>
Result<Struct> read(const Proto& proto)
{
    const auto& descriptors = descriptorsOf<Struct>(proto);
    Struct value{};
    Result<void> isRead;
    size_t index = 0;
    visitFields<Struct>([&](const auto& field) {
        const Reader reader(proto, descriptors[index++]);
        if (isRead)
            isRead = reader.take(value.*field.member);
    });
    RM_TRY(isRead);
    return value;
}

// ---- One of several -----------------------------------------------------------------------------

/// The alternatives of a variant stand in the order of the field numbers of the contract's oneof.
template <class... Alternatives>
void writeOneOf(const std::variant<Alternatives...>& value, Proto& proto)
{
    const auto* field =
        proto.GetDescriptor()->FindFieldByNumber(static_cast<int>(value.index()) + 1);
    Proto& member = *proto.GetReflection()->MutableMessage(&proto, field);
    std::visit([&](const auto& alternative) { write(alternative, member); }, value);
}

template <class Variant, class Alternative>
Result<Variant> readAs(const Proto& proto)
{
    return read<Alternative>(proto).map([](Alternative value) -> Variant { return value; });
}

/// Of a message whose oneof is set.
template <class... Alternatives>
Result<void> readOneOf(std::variant<Alternatives...>& value, const Proto& proto)
{
    using Variant = std::variant<Alternatives...>;
    static constexpr std::array Reads{&readAs<Variant, Alternatives>...};
    const auto& reflection = *proto.GetReflection();
    const auto* field =
        reflection.GetOneofFieldDescriptor(proto, proto.GetDescriptor()->oneof_decl(0));
    const auto index = static_cast<size_t>(field->number()) - 1;
    value = RM_TRY(Reads[index](reflection.GetMessage(proto, field)));
    return {};
}

} // namespace ringmaster::fields
