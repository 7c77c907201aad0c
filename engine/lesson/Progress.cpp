#include "engine/lesson/Progress.h"

#include "engine/base/Codes.h"
#include "engine/base/FileLock.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace ringmaster::lesson {

namespace {

using Json = nlohmann::json;

constexpr size_t LargestFile = 1U << 20U;

std::filesystem::path usualFile()
{
    return stateFolder() / "lessons.json";
}

std::set<size_t> numbersIn(const Json& json, const char* key)
{
    std::set<size_t> numbers;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array())
        return numbers;
    for (const Json& number : *found)
        if (number.is_number_unsigned())
            numbers.insert(number.get<size_t>());
    return numbers;
}

} // namespace

Progress Progress::load(std::filesystem::path file)
{
    if (file.empty())
        file = usualFile();
    const auto text = readFile(file, LargestFile);
    return of(std::move(file), text.value_or(""));
}

Progress Progress::of(std::filesystem::path file, const std::string& text)
{
    Progress progress;
    progress.m_file = std::move(file);
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object())
        return progress;
    for (const auto& [name, lesson] : json.items()) {
        if (!lesson.is_object())
            continue;
        Lesson& known = progress.m_lessons[name];
        known.hasRun = lesson.contains("hasRun") && lesson["hasRun"] == true;
        known.questions = numbersIn(lesson, "questions");
        known.tasks = numbersIn(lesson, "tasks");
        // Files from before attempts were counted have none: each right answer was one.
        const auto attempts = lesson.find("attempts");
        const bool isCounted = attempts != lesson.end() && attempts->is_number_unsigned();
        known.attempts = std::max(isCounted ? attempts->get<size_t>() : 0, known.questions.size());
    }
    return progress;
}

Result<void> Progress::change(const Change& apply)
{
    const std::filesystem::path file = m_file.empty() ? usualFile() : m_file;
    RM_TRY(makeFolder(file.parent_path()));
    const FileDescriptor lock = RM_TRY(waitForLock(file.string() + ".lock"));
    // What can't be read just now isn't nothing.
    const auto text = readFile(file, LargestFile);
    if (!text && text.error().code != code::FileNotFound)
        return tl::unexpected(text.error());
    Progress now = of(file, text.value_or(""));
    apply(now);
    RM_TRY(now.write());
    *this = std::move(now);
    return {};
}

Result<void> Progress::write() const
{
    Json json = Json::object();
    for (const auto& [name, lesson] : m_lessons)
        json[name] = {{"hasRun", lesson.hasRun},
                      {"questions", lesson.questions},
                      {"tasks", lesson.tasks},
                      {"attempts", lesson.attempts}};
    return writeFileAtomically(m_file, json.dump(1) + "\n");
}

void Progress::answered(const std::string& lesson, size_t question, bool isRight)
{
    Lesson& known = m_lessons[lesson];
    ++known.attempts;
    if (isRight)
        known.questions.insert(question);
}

std::vector<std::string> Progress::lessons() const
{
    std::vector<std::string> names;
    for (const auto& [name, lesson] : m_lessons)
        names.push_back(name);
    return names;
}

size_t Progress::attempts(const std::string& lesson) const
{
    const Lesson* known = find(lesson);
    return known == nullptr ? 0 : known->attempts;
}

size_t Progress::right(const std::string& lesson) const
{
    const Lesson* known = find(lesson);
    return known == nullptr ? 0 : known->questions.size();
}

size_t Progress::solvedTasks(const std::string& lesson) const
{
    const Lesson* known = find(lesson);
    return known == nullptr ? 0 : known->tasks.size();
}

const Progress::Lesson* Progress::find(const std::string& lesson) const
{
    const auto found = m_lessons.find(lesson);
    return found == m_lessons.end() ? nullptr : &found->second;
}

bool Progress::hasRun(const std::string& lesson) const
{
    const Lesson* known = find(lesson);
    return known != nullptr && known->hasRun;
}

bool Progress::isAnswered(const std::string& lesson, size_t question) const
{
    const Lesson* known = find(lesson);
    return known != nullptr && known->questions.contains(question);
}

bool Progress::isSolved(const std::string& lesson, size_t task) const
{
    const Lesson* known = find(lesson);
    return known != nullptr && known->tasks.contains(task);
}

bool Progress::isDone(const std::string& lesson, size_t questions) const
{
    const Lesson* known = find(lesson);
    return known != nullptr && known->hasRun && known->questions.size() >= questions;
}

} // namespace ringmaster::lesson
