#include "app/learn/LessonChecker.h"

#include "app/bridge/Background.h"
#include "engine/base/Environment.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/ProgramSyntax.h"
#include "engine/machine/Interpreters.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int TypingPauseMs = 300;

int lineToldIn(const Message& message)
{
    const auto found = message.parameters.find("line");
    return found == message.parameters.end() ? 0 : std::atoi(found->second.c_str());
}

} // namespace

LessonCheckup checkLesson(const LessonSource& source, const std::string& interpreter)
{
    const auto program = [&](const std::string& name) -> Result<std::string> {
        if (name == source.programName)
            return source.program.text;
        // What was never saved has nothing beside it.
        if (source.path.empty())
            return fail(code::PackProgramOutside, {{"path", name}});
        return lesson::readProgramBeside(source.path.parent_path(), name);
    };
    const std::string& text = source.lesson.text;
    lesson::PackReading reading = lesson::readPack(text, program);
    LessonCheckup checkup{.pack = std::move(reading.pack), .isReadable = reading.isToml};
    for (const Finding& finding : reading.errors)
        checkup.findings.push_back({.message = finding.message, .line = finding.place.line});
    const bool isBeside = !checkup.pack.programFile.empty();
    for (const Finding& finding : lesson::problemsOfProgram(checkup.pack, text, interpreter))
        checkup.findings.push_back(
            {.message = finding.message,
             .line = isBeside ? lineToldIn(finding.message) : finding.place.line,
             .isInProgram = isBeside && checkup.pack.programFile == source.programName});
    std::ranges::stable_sort(checkup.findings, {}, [](const LessonFinding& finding) {
        return std::pair(finding.isInProgram, finding.line);
    });
    return checkup;
}

LessonChecker::LessonChecker(std::function<LessonSource()> source, QObject* parent)
    : QObject(parent), m_source(std::move(source))
{
    m_thread.setMaxThreadCount(1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(TypingPauseMs);
    connect(&m_soon, &QTimer::timeout, this, &LessonChecker::start);
}

void LessonChecker::checkSoon()
{
    m_soon.start();
    Q_EMIT began();
}

void LessonChecker::checkNow()
{
    m_soon.stop();
    start();
}

void LessonChecker::start()
{
    if (m_isRunning) {
        m_isOutdated = true;
        return;
    }
    m_isRunning = true;
    Q_EMIT began();
    const auto check = [source = m_source(), interpreter = m_interpreter] {
        // Finding one may mean to run some.
        if (interpreter->empty())
            *interpreter = Interpreters(currentEnvironment()).active();
        return checkLesson(source, *interpreter);
    };
    inBackground(m_thread, this, check, [this](const LessonCheckup& checkup) {
        m_isRunning = false;
        if (std::exchange(m_isOutdated, false))
            return start();
        // While somebody types, what was found is of a text that isn't there any more.
        if (!m_soon.isActive())
            Q_EMIT checked(checkup);
    });
}

} // namespace ringmaster::app
