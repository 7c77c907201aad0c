#pragma once

#include <string_view>
#include <tuple>

namespace ringmaster {

/// A member of a struct of the contract, under its name: the camel case of the field's in
/// ringmaster.proto, and the key in JSON.
template <class Struct, class Value>
struct Field
{
    std::string_view name;
    Value Struct::*member;
};

template <class Struct, class Value>
Field(std::string_view, Value Struct::*) -> Field<Struct, Value>;

/// Has its members listed by RM_FIELDS.
template <class Struct>
concept HasFields = requires
{
    fieldsOf(static_cast<const Struct*>(nullptr));
};

/// Calls `visit(field)` for each member, in the order of the list.
template <HasFields Struct, class Visit>
constexpr void visitFields(const Visit& visit)
{
    std::apply([&](const auto&... field) { (visit(field), ...); },
               fieldsOf(static_cast<const Struct*>(nullptr)));
}

namespace detail {

/// Stands for a member of any type.
struct AnyMember
{
    template <class Value>
    operator Value() const; // NOLINT(google-explicit-constructor): that is what it is for
};

template <class Struct, class... Members>
constexpr std::size_t memberCount()
{
    if constexpr (requires { Struct{Members{}..., AnyMember{}}; })
        return memberCount<Struct, Members..., AnyMember>();
    else
        return sizeof...(Members);
}

} // namespace detail

/// Whether a struct's list has as many members as the struct.
template <HasFields Struct>
constexpr bool
    IsComplete = std::tuple_size_v<decltype(fieldsOf(static_cast<const Struct*>(nullptr)))> ==
                 detail::memberCount<Struct>();

} // namespace ringmaster

#define RM_PARENTHESES ()
#define RM_SCAN(...) RM_SCAN3(RM_SCAN3(RM_SCAN3(RM_SCAN3(__VA_ARGS__))))
#define RM_SCAN3(...) RM_SCAN2(RM_SCAN2(RM_SCAN2(RM_SCAN2(__VA_ARGS__))))
#define RM_SCAN2(...) RM_SCAN1(RM_SCAN1(RM_SCAN1(RM_SCAN1(__VA_ARGS__))))
#define RM_SCAN1(...) __VA_ARGS__
#define RM_FIELD(Struct, name, ...)                                                                \
    ::ringmaster::Field{#name, &Struct::name} __VA_OPT__(                                          \
        , RM_NEXT_FIELD RM_PARENTHESES(Struct, __VA_ARGS__))
#define RM_NEXT_FIELD() RM_FIELD

/// RM_FIELDS(Struct, member …): every member of the struct, once. Whatever goes through structs
/// goes through this list: a member that isn't in it is neither sent nor kept.
#define RM_FIELDS(Struct, ...)                                                                     \
    constexpr auto fieldsOf(const Struct*)                                                         \
    {                                                                                              \
        return std::tuple{RM_SCAN(RM_FIELD(Struct, __VA_ARGS__))};                                 \
    }                                                                                              \
    static_assert(true) // takes the semicolon
