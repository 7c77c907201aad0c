#include "engine/cli/LessonWatch.h"

#include "engine/base/Files.h"
#include "engine/cli/TemporaryFolder.h"
#include "engine/cli/Terminal.h"
#include "engine/event/States.h"

#include <chrono>
#include <future>
#include <optional>

#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

/// Of a proven deadlock, for what is still on its way to be seen.
constexpr auto StuckPatience = 1s;

std::string textOf(const LessonValue& value)
{
    if (value.kind == LessonValue::Kind::Gone)
        return value.name + " is gone";
    std::string elements;
    for (const std::string& element : value.elements)
        elements += (elements.empty() ? "" : ", ") + element;
    const bool isTensor = value.kind == LessonValue::Kind::Tensor;
    return value.name + " = " +
           (isTensor ? "[" + elements + (value.isPart ? elements.empty() ? "…]" : ", …]" : "]")
                     : elements);
}

} // namespace

std::string describe(const LessonStep& step)
{
    std::string text = "rank " + std::to_string(step.globalRank) + "  " + step.file + ":" +
                       std::to_string(step.line) + "  " + std::string(nameOf(step.kind));
    if (step.call.id != 0 && !step.call.operation.empty())
        text += " " + step.call.operation;
    if (step.call.peer >= 0)
        text += " (rank " + std::to_string(step.call.peer) + ")";
    const bool isBack = step.kind == LessonStep::Kind::Return && !step.call.isAsync;
    for (const LessonValue& value : isBack ? step.call.outputs : step.values)
        if (!value.name.empty())
            text += "  " + textOf(value);
    if (step.kind == LessonStep::Kind::Chunk)
        text += " " + std::to_string(step.chunk.step) + " of " + step.chunk.operation + ", rank " +
                std::to_string(step.chunk.from) + " → " + std::to_string(step.chunk.to) + ", " +
                std::to_string(step.chunk.bytes) + " bytes";
    if (!step.text.empty())
        text += "  " + step.text;
    return harmless(text);
}

Result<std::string> LessonWatch::launch(const Setting& setting, const fs::path& program)
{
    const int ranks = setting.ranks > 0 ? setting.ranks : setting.pack.ranks;
    const JobSpec spec = lesson::jobOf(setting.pack, {.program = program,
                                                      .ranks = ranks,
                                                      .backend = setting.backend,
                                                      .interpreter = setting.interpreter});
    std::promise<Result<std::string>> started;
    m_cluster.launch(
        spec,
        {.workingFolder = program.parent_path(),
         .arguments = {"--lesson", "free", "--lesson-pack", setting.packFile.string()}},
        [&](Result<std::string> run) { started.set_value(std::move(run)); });
    return started.get_future().get();
}

void LessonWatch::take(const std::vector<Event>& events, const Setting& setting)
{
    const std::lock_guard lock(m_mutex);
    for (const Event& event : events) {
        m_recording.add(event);
        if (const auto* state = std::get_if<RunStateChanged>(&event.body))
            m_state = state->state;
        if (const auto* notice = std::get_if<Notice>(&event.body);
            notice != nullptr && notice->severity == Notice::Severity::Error)
            m_complaint = notice->message;
        if (const auto* exit = std::get_if<WorkerExited>(&event.body))
            m_hasFailed |= !exit->status.succeeded();
        if (std::holds_alternative<AttemptStarted>(event.body))
            m_hasFailed = false;
        const auto* step = std::get_if<LessonStep>(&event.body);
        if (step != nullptr && setting.showsSteps)
            Terminal(STDOUT_FILENO).print(describe(*step) + "\n");
        if (step != nullptr && setting.onStep)
            setting.onStep(event);
    }
    m_changed.notify_all();
}

bool LessonWatch::isStuck() const
{
    return !m_hasFailed && !m_recording.isEmpty() && m_recording.latest().deadlock().has_value();
}

Result<lesson::Recording> LessonWatch::run(const Setting& setting)
{
    std::optional<TemporaryFolder> folder;
    fs::path program = setting.program;
    if (program.empty()) {
        folder.emplace(RM_TRY(TemporaryFolder::make("ringmaster-lesson")));
        program = folder->path() / (setting.pack.name + ".py");
        RM_TRY(writeFileAtomically(program, setting.pack.source));
    }
    m_run = RM_TRY(launch(setting, program));
    auto following = m_cluster.follow(
        m_run, 0, [&](const std::vector<Event>& events) { take(events, setting); },
        [](const Result<void>&) {});

    std::unique_lock lock(m_mutex);
    bool isStopped = false;
    while (!isFinal(m_state)) {
        const bool wasStuck = isStuck();
        const size_t steps = m_recording.size();
        m_changed.wait_for(lock, StuckPatience);
        if (wasStuck && steps == m_recording.size() && !std::exchange(isStopped, true))
            m_cluster.send(m_run, StopRun{}, [](const Result<void>&) {});
    }
    lock.unlock();
    following.cancel();
    return m_recording;
}

} // namespace ringmaster
