#include "engine/lesson/ClassSheet.h"

#include "engine/lesson/Codes.h"
#include "engine/text/CsvCell.h"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

namespace ringmaster::lesson {

namespace {

using SheetJson = nlohmann::ordered_json;

constexpr int AnswersFormat = 1;
constexpr size_t MostLessons = 1'000;
constexpr size_t LongestName = 200;
/// More is no count of answers.
constexpr size_t MostCounted = 1'000'000;

/// What a person or a lesson is called: one line.
bool isName(const std::string& text)
{
    return !text.empty() && text.size() <= LongestName && std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    });
}

Result<std::string> nameIn(const SheetJson& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string() || !isName(found->get<std::string>()))
        return fail(code::AnswersMalformed, {{"key", key}});
    return found->get<std::string>();
}

/// 0 where it isn't there.
Result<size_t> countIn(const SheetJson& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end())
        return size_t(0);
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > MostCounted)
        return fail(code::AnswersMalformed, {{"key", key}});
    return found->get<size_t>();
}

SheetJson asSheetJson(const LearnerAnswers::OfLesson& lesson)
{
    SheetJson json{
        {"lesson", lesson.lesson}, {"attempts", lesson.attempts}, {"right", lesson.right}};
    if (lesson.questions > 0)
        json["questions"] = lesson.questions;
    json["tasks"] = lesson.tasks;
    return json;
}

} // namespace

LearnerAnswers answersOf(const Progress& progress, std::string learner,
                         const std::map<std::string, size_t>& questions)
{
    LearnerAnswers answers{.learner = std::move(learner)};
    for (const std::string& lesson : progress.lessons()) {
        const auto known = questions.find(lesson);
        answers.lessons.push_back({.lesson = lesson,
                                   .attempts = progress.attempts(lesson),
                                   .right = progress.right(lesson),
                                   .questions = known == questions.end() ? 0 : known->second,
                                   .tasks = progress.solvedTasks(lesson)});
    }
    return answers;
}

std::string answersText(const LearnerAnswers& answers)
{
    SheetJson lessons = SheetJson::array();
    for (const LearnerAnswers::OfLesson& lesson : answers.lessons)
        lessons.push_back(asSheetJson(lesson));
    const SheetJson json{
        {"format", AnswersFormat}, {"learner", answers.learner}, {"lessons", std::move(lessons)}};
    return json.dump(1, ' ', false, SheetJson::error_handler_t::replace) + "\n";
}

Result<LearnerAnswers> parseAnswers(std::string_view text)
{
    const SheetJson json = SheetJson::parse(text, nullptr, false);
    if (!json.is_object() || json.value("format", SheetJson()) != AnswersFormat)
        return fail(code::AnswersMalformed, {{"key", "format"}});
    LearnerAnswers answers;
    answers.learner = RM_TRY(nameIn(json, "learner"));
    const auto lessons = json.find("lessons");
    if (lessons == json.end() || !lessons->is_array() || lessons->size() > MostLessons)
        return fail(code::AnswersMalformed, {{"key", "lessons"}});
    for (const SheetJson& lesson : *lessons) {
        if (!lesson.is_object())
            return fail(code::AnswersMalformed, {{"key", "lessons"}});
        LearnerAnswers::OfLesson& known = answers.lessons.emplace_back();
        known.lesson = RM_TRY(nameIn(lesson, "lesson"));
        known.attempts = RM_TRY(countIn(lesson, "attempts"));
        known.right = RM_TRY(countIn(lesson, "right"));
        known.questions = RM_TRY(countIn(lesson, "questions"));
        known.tasks = RM_TRY(countIn(lesson, "tasks"));
    }
    return answers;
}

void ClassSheet::add(const LearnerAnswers& answers)
{
    const auto weightOf = [](const LearnerAnswers::OfLesson& lesson) {
        return std::tuple(lesson.attempts, lesson.right, lesson.tasks, lesson.questions);
    };
    for (const LearnerAnswers::OfLesson& lesson : answers.lessons) {
        const auto [row, isNew] = m_rows.try_emplace({answers.learner, lesson.lesson}, lesson);
        if (!isNew && weightOf(lesson) > weightOf(row->second))
            row->second = lesson;
    }
}

std::vector<ClassSheet::Row> ClassSheet::rows() const
{
    std::vector<Row> rows;
    for (const auto& [key, answers] : m_rows)
        rows.push_back({key.first, answers});
    return rows;
}

std::string ClassSheet::csv() const
{
    std::string text = "learner,lesson,attempts,right,questions,tasks\r\n";
    for (const Row& row : rows()) {
        const LearnerAnswers::OfLesson& answers = row.answers;
        text += csvCell(row.learner) + "," + csvCell(answers.lesson) + "," +
                std::to_string(answers.attempts) + "," + std::to_string(answers.right) + "," +
                (answers.questions > 0 ? std::to_string(answers.questions) : "") + "," +
                std::to_string(answers.tasks) + "\r\n";
    }
    return text;
}

std::string ClassSheet::json() const
{
    SheetJson list = SheetJson::array();
    for (const Row& row : rows()) {
        SheetJson json{{"learner", row.learner}};
        json.update(asSheetJson(row.answers));
        list.push_back(std::move(json));
    }
    return list.dump(1, ' ', false, SheetJson::error_handler_t::replace) + "\n";
}

} // namespace ringmaster::lesson
