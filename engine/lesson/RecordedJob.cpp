#include "engine/lesson/RecordedJob.h"

#include "engine/lesson/Recording.h"

#include <array>

namespace ringmaster::lesson {

namespace {

using Happening = RecordedJob::Happening;

/// Makes steps of what happened.
class JobSteps
{
public:
    explicit JobSteps(Recording& recording) : m_recording(recording) {}

    void add(const Happening& happening)
    {
        switch (happening.kind) {
        case Happening::Kind::Calls: return call(happening);
        case Happening::Kind::Returns: return finish(happening);
        case Happening::Kind::Waits: return wait(happening);
        case Happening::Kind::Exits: return exit(happening);
        }
    }

private:
    using Kind = LessonStep::Kind;

    void call(const Happening& happening)
    {
        LessonStep step = stepOf(happening, Kind::Call);
        step.file = happening.file;
        step.function = happening.function;
        step.line = happening.line;
        step.call = happening.operation;
        step.call.id = happening.call;
        m_calls[{happening.rank, happening.call}] = step;
        add(step);
        if (!step.call.isAsync)
            return;
        step.kind = Kind::Return;
        add(step);
    }

    void finish(const Happening& happening)
    {
        LessonStep step = known(happening);
        step.kind = Kind::Return;
        step.call.isAsync = false;
        end(step, happening);
        add(step);
    }

    /// When it began to wait isn't known, only when that was over.
    void wait(const Happening& happening)
    {
        LessonStep step = known(happening);
        const std::uint64_t request = step.call.id;
        step.kind = Kind::Call;
        step.call.operation = "wait";
        step.call.waitsFor = request;
        step.call.id = FirstWait + ++m_waits;
        step.call.isAsync = false;
        step.call.inputs.clear();
        step.call.outputs.clear();
        add(step);
        step.kind = Kind::Return;
        end(step, happening);
        add(step);
    }

    void exit(const Happening& happening)
    {
        add(WorkerExited{.globalRank = happening.rank, .status = happening.exit});
    }

    static LessonStep stepOf(const Happening& happening, Kind kind)
    {
        return {.globalRank = happening.rank,
                .kind = kind,
                .atNs = std::chrono::nanoseconds(happening.at + Beginning).count(),
                .isFree = true};
    }

    /// Of what was called, at this time.
    LessonStep known(const Happening& happening) const
    {
        const auto found = m_calls.find({happening.rank, happening.call});
        LessonStep step = found == m_calls.end() ? LessonStep{} : found->second;
        const LessonStep now = stepOf(happening, step.kind);
        step.globalRank = now.globalRank;
        step.atNs = now.atNs;
        step.isFree = now.isFree;
        return step;
    }

    static void end(LessonStep& step, const Happening& happening)
    {
        if (happening.hasFailed)
            step.text = "error";
    }

    void add(EventBody body) { m_recording.add({.body = std::move(body)}); }

    static constexpr auto Beginning = std::chrono::seconds(1); ///< A step has a time.
    static constexpr std::uint64_t FirstWait = std::uint64_t(1) << 62U;

    Recording& m_recording;
    std::map<std::pair<int, std::uint64_t>, LessonStep> m_calls;
    std::uint64_t m_waits = 0;
};

} // namespace

Recording recordingOf(const RecordedJob& job)
{
    Recording recording(State(job.before));
    const auto add = [&recording](EventBody body) { recording.add({.body = std::move(body)}); };
    add(LessonStarted{.program = job.code.empty() ? std::string() : job.code.front().file,
                      .backend = job.backend,
                      .ranks = job.worldSize});
    add(AttemptStarted{.worldSize = job.worldSize});
    JobSteps steps(recording);
    for (const Happening& happening : job.happenings)
        steps.add(happening);
    add(job.verdict);
    return recording;
}

std::string_view nameOf(Happening::Kind kind)
{
    constexpr std::array<std::string_view, 4> Names{"calls", "returns", "waits", "exits"};
    return Names.at(static_cast<size_t>(kind));
}

} // namespace ringmaster::lesson
