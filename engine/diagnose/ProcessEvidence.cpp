#include "engine/diagnose/ProcessEvidence.h"

#include "engine/base/SignalName.h"
#include "engine/diagnose/Codes.h"
#include "engine/event/Verdict.h"

#include <algorithm>

namespace ringmaster::diagnose {

namespace {

using Kind = ProcessWait::Kind;
using Child = ProcessWait::Child;

/// A save or a load is given this much longer than another place.
constexpr std::int64_t CheckpointPatienceNs = 60'000'000'000;

/// It is called from there: by its own frames, up to the user's.
bool standsIn(const ProcessView& process, std::initializer_list<std::string_view> files)
{
    return process.stack &&
           std::ranges::any_of(process.stack->frames, [&](const Stack::Frame& frame) {
               return std::ranges::any_of(files, [&](std::string_view file) {
                   return frame.file.find(file) != std::string::npos;
               });
           });
}

bool isInLoader(const ProcessView& process)
{
    return standsIn(process, {"torch/utils/data/dataloader.py"});
}

bool isInCheckpoint(const ProcessView& process)
{
    return standsIn(process, {"torch/serialization.py", "torch/distributed/checkpoint/"});
}

/// By what the system says, else by its stack: a poll with a timeout sleeps.
bool isAwaited(const ProcessView& process, const Child& child)
{
    return child.isAwaited || (child.isLoaderWorker && isInLoader(process)) ||
           (!child.isLoaderWorker &&
            standsIn(process, {"/subprocess.py", "/multiprocessing/popen_",
                               "/multiprocessing/pool.py", "/multiprocessing/queues.py"}));
}

Message childMessage(const RankView& view, const Child& child)
{
    Parameters parameters{{"rank", std::to_string(view.rank)},
                          {"pid", std::to_string(child.pid)},
                          {"child", child.command}};
    const bool isLoader = child.isLoaderWorker;
    const bool isWaited = isAwaited(view.process, child);
    if (child.signal != 0) {
        parameters["signal"] = signalName(child.signal);
        return {isLoader   ? code::LoaderKilled
                : isWaited ? code::AwaitedChildKilled
                           : code::ChildKilled,
                std::move(parameters),
                {}};
    }
    if (child.state == Child::State::Ended) {
        parameters["exit"] = std::to_string(child.exitCode);
        return {isLoader ? code::LoaderEnded : code::ChildEnded, std::move(parameters), {}};
    }
    if (child.state == Child::State::Stopped)
        return {isLoader ? code::LoaderStopped : code::ChildStopped, std::move(parameters), {}};
    if (!child.isAtWork)
        return {isLoader ? code::LoaderIdle : code::ChildIdle, std::move(parameters), {}};
    const Stack::Frame* frame = view.process.stack ? userFrame(*view.process.stack) : nullptr;
    if (isLoader || frame == nullptr)
        return {isLoader ? code::WaitsForLoader : code::WaitsForChild, std::move(parameters), {}};
    parameters["function"] = frame->function;
    parameters["file"] = frame->file;
    parameters["line"] = std::to_string(frame->line);
    return {code::WaitsForChildAt, std::move(parameters), {}};
}

Code socketCode(const ProcessWait& wait)
{
    if (wait.name.empty())
        return code::WaitsAtSocket;
    if (wait.bytes < 0 || wait.spanNs == 0)
        return code::WaitsAtSocketTo;
    if (wait.bytes == 0)
        return wait.isWriting ? code::WritesSilentSocket : code::ReadsSilentSocket;
    return wait.isWriting ? code::WritesSocket : code::ReadsSocket;
}

Code fileCode(const ProcessWait& wait)
{
    if (wait.bytes < 0 || wait.spanNs == 0)
        return wait.name.empty() ? code::WaitsForDisk : code::WaitsForFile;
    if (wait.name.empty())
        return wait.bytes > 0 ? code::WaitsForDisk : code::WaitsForSilentDisk;
    return wait.isWriting ? code::WritesFile : code::ReadsFile;
}

/// code::None: nothing that a person would want to know.
Code placeCode(const ProcessWait& wait)
{
    switch (wait.kind) {
    case Kind::File: return fileCode(wait);
    case Kind::Socket: return socketCode(wait);
    case Kind::FileLock:
        return wait.holder != 0 ? code::WaitsForFileLockOf : code::WaitsForFileLock;
    case Kind::Pipe: return wait.isWriting ? code::WritesPipe : code::ReadsPipe;
    case Kind::Fifo: return code::OpensFifo;
    case Kind::Lock: return code::WaitsForLock;
    case Kind::Sleep: return wait.sleepNs > 0 ? code::SleepsFor : code::Sleeps;
    case Kind::Device: return code::WaitsForDevice;
    case Kind::Unknown:
    case Kind::Running:
    case Kind::Child: break;
    }
    return code::None;
}

/// Who waits with the lock is in C code. Who runs with it is in the interpreter now and then,
/// unless nothing of its stack changes.
std::optional<Message> gilEvidence(const Stack& stack, const std::string& rank)
{
    constexpr std::int64_t LongNs = 3'000'000'000;
    const std::int64_t sameNs = stack.takenNs - stack.sameSinceNs;
    if (!stack.holdsGil || (stack.isActive && sameNs < LongNs))
        return std::nullopt;
    if (!stack.isActive)
        return Message{code::HoldsGil, {{"rank", rank}}, {}};
    return Message{code::RunsWithGil, {{"rank", rank}}, {}};
}

std::string orNone(const std::string& text)
{
    return text.empty() ? "-" : text;
}

} // namespace

std::string bytesText(std::int64_t bytes)
{
    constexpr std::int64_t Thousand = 1000;
    const char* unit = "B";
    for (const char* larger : {"kB", "MB", "GB"}) {
        if (bytes < 10 * Thousand && !(bytes >= Thousand && std::string_view(unit) == "B"))
            break;
        bytes = (bytes + Thousand / 2) / Thousand;
        unit = larger;
    }
    return std::to_string(bytes) + " " + unit;
}

bool isQuiet(const ProcessView& process)
{
    if (isWorkedFor(process))
        return true;
    return process.state == ProcessView::State::Alive && process.wait &&
           process.wait->kind != Kind::Running && isAtWork(*process.wait);
}

bool isWorkedFor(const ProcessView& process)
{
    if (process.state != ProcessView::State::Alive)
        return false;
    if (isInCheckpoint(process) && process.idleNs < CheckpointPatienceNs)
        return true;
    const auto works = [&](const Child& child) {
        return isAwaited(process, child) && child.state == Child::State::Alive && child.isAtWork;
    };
    return process.wait && std::ranges::any_of(process.wait->children, works);
}

bool isQuietOrWakesUp(const ProcessView& process)
{
    constexpr std::int64_t WakingNs = 5'000'000'000;
    return isQuiet(process) || (process.state == ProcessView::State::Alive &&
                                process.quietAgoNs >= 0 && process.quietAgoNs < WakingNs);
}

bool mayGoOn(const ProcessView& process)
{
    if (isQuietOrWakesUp(process))
        return true;
    const bool isPending =
        process.noStack.code == code::None || process.noStack.code == code::StackNoAnswer;
    return !process.stack && isPending && process.wait &&
           std::ranges::any_of(process.wait->children, [](const Child& child) {
               return !child.isCopy && child.state == Child::State::Alive && child.isAtWork;
           });
}

std::vector<Message> stackEvidence(const RankView& view)
{
    std::vector<Message> evidence;
    const ProcessView& process = view.process;
    const std::string rank = std::to_string(view.rank);
    if (process.stack) {
        if (auto gil = gilEvidence(*process.stack, rank))
            evidence.push_back(*std::move(gil));
    }
    const Stack::Frame* frame = process.childStack ? userFrame(*process.childStack) : nullptr;
    if (frame != nullptr) {
        const std::string& line = process.childStack->code;
        evidence.push_back({line.empty() ? code::ChildStands : code::ChildStandsInLine,
                            {{"rank", rank},
                             {"function", frame->function},
                             {"file", frame->file},
                             {"line", std::to_string(frame->line)},
                             {"code", line}},
                            process.childStack->text});
    }
    const bool isStackMissing = !process.stack && process.noStack.code != code::None;
    if (!isStackMissing || !process.wait || process.wait->state.empty())
        return evidence;
    const ProcessWait& wait = *process.wait;
    const bool isHidden = wait.systemCall.empty() && wait.kind != Kind::Running;
    evidence.push_back({isHidden ? code::SystemPlaceHidden : code::SystemPlace,
                        {{"rank", rank},
                         {"state", wait.state},
                         {"call", orNone(wait.systemCall)},
                         {"channel", orNone(wait.channel)}},
                        {}});
    return evidence;
}

Message stuckRemedy(const RankView& view)
{
    Parameters parameters{{"rank", std::to_string(view.rank)}};
    const Stack::Frame* frame = view.process.stack ? userFrame(*view.process.stack) : nullptr;
    if (frame == nullptr)
        return {code::RemedyLookInside, std::move(parameters), {}};
    parameters["file"] = frame->file;
    parameters["line"] = std::to_string(frame->line);
    return {code::RemedyStuckAt, std::move(parameters), {}};
}

std::vector<Message> waitEvidence(const RankView& view)
{
    constexpr size_t Most = 3; // children: of a hundred workers, a few show what it is
    std::vector<Message> evidence;
    if (!view.process.wait || view.process.state != ProcessView::State::Alive)
        return evidence;
    const ProcessWait& wait = *view.process.wait;
    const std::string rank = std::to_string(view.rank);
    if (wait.isOtherThread)
        evidence.push_back({code::WaitsForThread, {{"rank", rank}}, {}});
    for (const Child& child : wait.children) {
        const bool isWorthSaying = isAwaited(view.process, child) || child.signal != 0;
        if (isWorthSaying && evidence.size() < Most)
            evidence.push_back(childMessage(view, child));
    }
    const bool isSaid = std::ranges::any_of(
        wait.children, [&](const Child& child) { return isAwaited(view.process, child); });
    const Code place = placeCode(wait);
    if (place != code::None && (!isSaid || isAtWork(wait)))
        evidence.push_back(
            {place,
             {{"rank", rank},
              {place == code::WaitsForDevice || wait.kind == Kind::File ||
                       wait.kind == Kind::FileLock
                   ? "file"
                   : "peer",
               wait.name},
              {"holder", std::to_string(wait.holder)},
              {"bytes", bytesText(std::max<std::int64_t>(0, wait.bytes))},
              {"seconds", secondsPassed(wait.kind == Kind::Sleep ? wait.leftNs : wait.spanNs)}},
             {}});
    if (isInCheckpoint(view.process))
        evidence.push_back({code::InCheckpoint, {{"rank", rank}}, {}});
    return evidence;
}

} // namespace ringmaster::diagnose
