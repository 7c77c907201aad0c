#pragma once

#include "engine/event/Event.h"

#include <string>
#include <vector>

/// Steps as tracers tell them, for tests without workers.
namespace ringmaster::test {

inline Event eventOf(EventBody body)
{
    static std::uint64_t sequence = 0;
    ++sequence;
    return {.id = {"run", "0", sequence}, .runSequence = sequence, .body = std::move(body)};
}

inline LessonValue tensorOf(const std::string& name, std::vector<std::string> elements)
{
    LessonValue value{.name = name,
                      .kind = LessonValue::Kind::Tensor,
                      .type = "float32",
                      .shape = {static_cast<std::int64_t>(elements.size())},
                      .bytes = 4 * elements.size()};
    value.elements = std::move(elements);
    return value;
}

struct CallSetting
{
    std::string operation{};
    int peer = -1;
    std::vector<int> members{0, 1};
    bool isAsync = false;
    std::uint64_t waitsFor = 0;
    std::vector<LessonValue> inputs{};
    std::vector<LessonValue> outputs{};
    std::string reduction{};
};

inline LessonStep callStep(int rank, std::uint64_t id, const CallSetting& setting,
                           LessonStep::Kind kind = LessonStep::Kind::Call, int line = 1)
{
    return {.globalRank = rank,
            .kind = kind,
            .file = "a.py",
            .line = line,
            .function = "<module>",
            .call = {.id = id,
                     .operation = setting.operation,
                     .waitsFor = setting.waitsFor,
                     .group = "default",
                     .members = setting.members,
                     .peer = setting.peer,
                     .reduction = setting.reduction,
                     .isAsync = setting.isAsync,
                     .inputs = setting.inputs,
                     .outputs = setting.outputs}};
}

inline LessonStep lineStep(int rank, int line, std::vector<LessonValue> values = {})
{
    return {.globalRank = rank,
            .kind = LessonStep::Kind::Line,
            .file = "a.py",
            .line = line,
            .function = "<module>",
            .values = std::move(values)};
}

} // namespace ringmaster::test
