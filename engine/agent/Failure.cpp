#include "engine/agent/Failure.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/text/TextSearch.h"
#include "engine/worker/Codes.h"
#include "engine/worker/ExitExplanation.h"
#include "engine/worker/Traceback.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace ringmaster {
namespace {

using namespace std::string_view_literals;

// What is a vain wait among the consequences: then the one that was waited for matters.
constexpr std::array TimedOutSigns{"imed out waiting"sv,  "imed out after"sv,
                                   "ait timeout"sv,       "Socket Timeout"sv,
                                   "operation timeout"sv, "Application timeout"sv};

// What Python prints because the agent's own signal interrupted it.
constexpr std::array InterruptionTypes{"KeyboardInterrupt"sv, "SignalException"sv, "SystemExit"sv};

/// The statement to judge: the exception where there is one, else the end of stderr, where a C++
/// exception that ends the process leaves its text.
std::string statementOf(const Failure& failure)
{
    if (!failure.exit.errorType.empty() || !failure.exit.errorText.empty())
        return failure.exit.errorType + ": " + failure.exit.errorText;
    constexpr std::size_t Enough = 4096;
    const std::string& tail = failure.stderrTail;
    return tail.size() > Enough ? tail.substr(tail.size() - Enough) : tail;
}

ErrorReport reportOf(const WorkerExited& exit)
{
    return {.type = exit.errorType, .text = exit.errorText, .traceback = exit.traceback};
}

/// What the program did itself; any other signal somebody sent.
bool isCrash(int signal)
{
    constexpr std::array Crashes{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
    return std::ranges::find(Crashes, signal) != Crashes.end();
}

/// Of another host's worker only the explanation is known.
bool isByUsersSignal(const Failure& failure)
{
    const WorkerExited& exit = failure.exit;
    const Code why = exit.explanation.code;
    return !exit.endedByAgent &&
           (why == code::RankEndedByUser || why == code::RankEndedByDrill ||
            (failure.userSignal != 0 && exit.status.signal == failure.userSignal));
}

Message simple(Code code)
{
    return {.code = code};
}

std::string quoted(std::string_view text, std::string_view before, char end)
{
    const std::size_t start = text.find(before);
    if (start == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(start + before.size());
    return std::string(rest.substr(0, rest.find(end)));
}

std::optional<Message> remedyForStatement(std::string_view says)
{
    if (contains(says, "CUDA out of memory") || contains(says, "OutOfMemoryError"))
        return simple(code::RemedyDeviceMemory);
    if (contains(says, "No module named"))
        return Message{.code = code::RemedyInstallModule,
                       .parameters = {{"module", quoted(says, "No module named '", '\'')}}};
    if (contains(says, "can't open file"))
        return Message{.code = code::RemedyCheckPath,
                       .parameters = {{"path", quoted(says, "can't open file '", '\'')}}};
    if (contains(says, "FileNotFoundError"))
        return Message{.code = code::RemedyCheckPath,
                       .parameters = {{"path", quoted(says, "directory: '", '\'')}}};
    if (contains(says, "insufficient shared memory") || contains(says, "No space left on device"))
        return simple(code::RemedySharedMemory);
    if (contains(says, "EADDRINUSE") || contains(says, "Address already in use"))
        return simple(code::RemedyPortInUse);
    if (contains(says, "device-side assert"))
        return simple(code::RemedyDeviceAssert);
    if (contains(says, "NCCL") || contains(says, "nccl"))
        return simple(code::RemedyNcclLog);
    return std::nullopt;
}

} // namespace

bool areNear(const Moment& one, const Moment& other)
{
    constexpr std::int64_t Near = 60'000'000'000;
    return std::abs(one.monotonicNs - other.monotonicNs) < Near;
}

bool isOfCleanUp(const Message& deviceFault)
{
    const auto xid = deviceFault.parameters.find("xid");
    return deviceFault.code == code::GpuXidOfProgram && xid != deviceFault.parameters.end() &&
           (xid->second == "43" || xid->second == "45");
}

bool hasEndedOf(const Message& deviceFault, const Moment& toldAt, const Failure& failure)
{
    const WorkerExited& exit = failure.exit;
    if (deviceFault.code == code::None || exit.status.succeeded() || exit.endedByAgent)
        return false;
    // What the program says itself names the place. A signal, too, says more: the driver reports
    // what it clears up after that (45).
    const bool hasSaid =
        !exit.errorType.empty() || !exit.errorText.empty() || !exit.traceback.empty();
    if (deviceFault.code == code::GpuXidOfProgram && (hasSaid || exit.status.signal != 0))
        return false;
    return areNear(failure.at, toldAt);
}

FailureKind kindOf(const Failure& failure)
{
    const WorkerExited& exit = failure.exit;
    const bool hasError = !exit.errorType.empty() || !exit.errorText.empty();
    if (exit.status.succeeded())
        return FailureKind::None;
    if (exit.endedByAgent && (!hasError || containsAny(exit.errorType, InterruptionTypes)))
        return FailureKind::None;
    if (isByUsersSignal(failure))
        return FailureKind::UserEnded;
    if (!isConsequence(reportOf(exit)))
        return exit.endedByAgent ? FailureKind::Interrupted : FailureKind::Independent;
    if (exit.endedByAgent)
        return FailureKind::None;
    return containsAny(exit.errorText, TimedOutSigns) ? FailureKind::TimedOut
                                                      : FailureKind::PeerLost;
}

bool isOfAnother(FailureKind kind)
{
    return kind == FailureKind::PeerLost || kind == FailureKind::TimedOut;
}

std::string errorLine(const Failure& failure)
{
    const WorkerExited& exit = failure.exit;
    if (!exit.errorType.empty())
        return exit.errorText.empty() ? exit.errorType : exit.errorType + ": " + exit.errorText;
    if (!exit.errorText.empty())
        return exit.errorText;
    return std::string(lastLine(failure.stderrTail));
}

Message remedyFor(const Failure& failure)
{
    const ExitStatus& status = failure.exit.status;
    const std::string rank = std::to_string(failure.exit.globalRank);
    if (kindOf(failure) == FailureKind::UserEnded)
        return {};
    if (const auto remedy = remedyForStatement(statementOf(failure)))
        return *remedy;
    if (failure.exit.explanation.code == code::WorkerOutOfMemory ||
        failure.exit.explanation.code == code::WorkerPerhapsOutOfMemory)
        return simple(code::RemedyHostMemory);
    if (status.signal == 9)
        return simple(code::RemedyKilledOutside);
    if (status.signal == 7)
        return simple(code::RemedySharedMemory);
    if (status.signal == SIGABRT && isAbortOfThread(failure.stderrTail))
        return simple(code::RemedyDestroyGroup);
    if (status.signal != 0 && !isCrash(status.signal))
        return {.code = code::RemedySignalSender,
                .parameters = {{"signal", signalName(status.signal)}}};
    if (status.signal != 0 && failure.exit.traceback.empty())
        return {.code = code::RemedyFaultHandler, .parameters = {{"rank", rank}}};
    if (status.code == 2 && contains(failure.stderrTail, "usage:"))
        return simple(code::RemedyArguments);
    if (!failure.exit.traceback.empty())
        return {.code = code::RemedyReadTraceback, .parameters = {{"rank", rank}}};
    return {.code = code::RemedyRecordErrors, .parameters = {{"rank", rank}}};
}

} // namespace ringmaster
