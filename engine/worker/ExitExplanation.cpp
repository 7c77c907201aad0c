#include "engine/worker/ExitExplanation.h"

#include "engine/worker/Codes.h"
#include "engine/worker/ContainerExit.h"
#include "engine/worker/Traceback.h"

#include <algorithm>
#include <csignal>
#include <cstring>

namespace ringmaster {

namespace {

constexpr int NotExecutable = 126;
constexpr int NotFound = 127;
constexpr int SignalBase = 128;
constexpr int WrongUse = 2;
constexpr std::int64_t BytesPerMebibyte = 1 << 20;

Message about(const ExitFacts& facts, Code code, Parameters parameters = {})
{
    parameters["rank"] = std::to_string(facts.globalRank);
    return {code, std::move(parameters), {}};
}

bool isCrash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE ||
           number == SIGABRT || number == SIGTRAP || number == SIGSYS;
}

Message explainKill(const ExitFacts& facts)
{
    const std::string memory =
        std::to_string(facts.exit.maxResidentBytes / BytesPerMebibyte) + " MiB";
    switch (facts.outOfMemory) {
    case OutOfMemoryWatch::Finding::Certain:
        return about(facts, code::WorkerOutOfMemory, {{"memory", memory}});
    case OutOfMemoryWatch::Finding::Possible:
        return about(facts, code::WorkerPerhapsOutOfMemory, {{"memory", memory}});
    case OutOfMemoryWatch::Finding::No: break;
    }
    return about(facts, code::WorkerKilledFromOutside);
}

Message explainSignal(const ExitFacts& facts)
{
    const std::string name = signalName(facts.exit.signal);
    // No signal of the agent's is one that a process ends itself with.
    const bool hasCrashed = isCrash(facts.exit.signal) && facts.exit.signal != facts.userSignal;
    if (facts.endedByAgent)
        return about(facts, hasCrashed ? code::WorkerCrashedWhileEnded : code::WorkerEndedByAgent,
                     {{"signal", name}});
    if (facts.exit.signal == facts.userSignal && facts.isDrill)
        return about(facts, code::RankEndedByDrill);
    if (facts.exit.signal == facts.userSignal)
        return about(facts, code::RankEndedByUser, {{"signal", name}});
    if (facts.exit.signal == SIGKILL)
        return explainKill(facts);
    if (!isCrash(facts.exit.signal))
        return about(facts, code::WorkerEndedBySignal, {{"signal", name}});
    if (facts.exit.signal == SIGABRT && isAbortOfThread(facts.exitReport.stderrTail))
        return about(facts, code::WorkerAbortedAtEnd);
    return about(facts, facts.exit.coreDumped ? code::WorkerCrashedWithCore : code::WorkerCrashed,
                 {{"signal", name}});
}

/// "python: can't open file '/x/train.py': [Errno 2] No such file or directory"
std::string missingScript(const std::string& standardError)
{
    constexpr std::string_view Before = "can't open file '";
    const std::size_t at = standardError.rfind(Before);
    if (at == std::string::npos || standardError.find("[Errno 2]", at) == std::string::npos)
        return {};
    const std::size_t start = at + Before.size();
    return standardError.substr(start, standardError.find('\'', start) - start);
}

/// Of an error of CUDA's torch says in four lines more, always the same, what one may try; the
/// hints say so, too.
std::string withoutAdvice(const std::string& text)
{
    if (text.find("CUDA error: ") == std::string::npos)
        return text;
    return text.substr(0, std::min(text.find("\nSearch for `"),
                                   text.find("\nCUDA kernel errors might be asynchronously")));
}

Message explainException(const ExitFacts& facts, const ErrorReport& report)
{
    const Parameters parameters{{"type", report.type},
                                {"text", withoutAdvice(report.text)},
                                {"file", report.file},
                                {"line", std::to_string(report.line)}};
    if (report.type == "SyntaxError" || report.type == "IndentationError" ||
        report.type == "TabError")
        return about(facts, code::WorkerSyntaxError, parameters);
    if (report.type == "ModuleNotFoundError" || report.type == "ImportError")
        return about(facts, code::WorkerImportFailed, parameters);
    if (report.text.find("CUDA out of memory") != std::string::npos)
        return about(facts, code::WorkerDeviceOutOfMemory, parameters);
    if (isConsequence(report)) {
        // Gloo's groups are there on one rank before the others have connected among themselves.
        const bool isConnecting = report.text.find("connectFullMesh failed") != std::string::npos;
        return about(facts, isConnecting ? code::WorkerLostPeerConnecting : code::WorkerLostPeer,
                     parameters);
    }
    if (report.type.empty())
        return about(facts, code::WorkerSaid, parameters);
    return about(facts, report.line > 0 ? code::WorkerRaisedAt : code::WorkerRaised, parameters);
}

Message explainCode(const ExitFacts& facts)
{
    const int code = facts.exit.code;
    if (const auto container = explainContainerExit(facts))
        return *container;
    const std::string script = missingScript(facts.exitReport.stderrTail);
    if (code == WrongUse && !script.empty())
        return about(facts, code::WorkerScriptNotFound, {{"path", script}});
    const Parameters parameters{{"code", std::to_string(code)}};
    if (code == NotFound)
        return about(facts, code::WorkerCommandNotFound, parameters);
    if (code == NotExecutable)
        return about(facts, code::WorkerCommandNotExecutable, parameters);
    if (code == SignalBase + SIGKILL && facts.outOfMemory != OutOfMemoryWatch::Finding::No)
        return about(facts, code::WorkerChildOutOfMemory, parameters);
    if (code > SignalBase && code < SignalBase + NSIG && sigabbrev_np(code - SignalBase))
        return about(facts, code::WorkerChildSignalled,
                     {{"code", std::to_string(code)}, {"signal", signalName(code - SignalBase)}});
    return about(facts, code::WorkerExitedWithCode, parameters);
}

} // namespace

bool isAbortOfThread(std::string_view standardError)
{
    return standardError.find("terminate called without an active exception") !=
           std::string_view::npos;
}

Message explainExit(const ExitFacts& facts)
{
    if (facts.exit.succeeded())
        return about(facts, code::WorkerSucceeded);
    const auto& report =
        facts.exitReport.error ? facts.exitReport.error : facts.exitReport.traceback;
    // An abort is how an uncaught C++ exception ends: what it said says more.
    const bool speaks = report && (facts.exit.signal == 0 || facts.exit.signal == SIGABRT);
    if (speaks && !facts.endedByAgent)
        return explainException(facts, *report);
    return facts.exit.signal != 0 ? explainSignal(facts) : explainCode(facts);
}

} // namespace ringmaster
