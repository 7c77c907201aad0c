// Writes run files the way an agent does, for tests that kill it or take its disk away.
//   record_writer flood FILE           events as fast as they go in; "ready" once some are there
//   record_writer limited FILE         the file can't grow for a while (RLIMIT_FSIZE)
//   record_writer full FOLDER          the same on a full file system of its own (tmpfs; needs
//   root)
// limited and full print what the writer says, and "whole" when every event is in the file after.
#include "engine/record/Codes.h"
#include "engine/record/RunFileReader.h"
#include "engine/record/RunFileWriter.h"
#include "tests/event/EventSamples.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

constexpr int NotPossible = 77;
constexpr std::uint64_t EventCount = 3000;

void say(const std::string& text)
{
    std::puts(text.c_str());
    std::fflush(stdout);
}

Event numbered(std::uint64_t sequence)
{
    const auto bodies = samples::everyBody();
    EventBody body = bodies[sequence % bodies.size()];
    if (isSample(body))
        body = Notice{};
    return samples::event(sequence, std::move(body));
}

int flood(const fs::path& file)
{
    auto writer =
        RunFileWriter::open(file, {.run = "run-1", .batchDelay = std::chrono::milliseconds(1)});
    if (!writer)
        return 1;
    const auto first = RunFileReader::open(file)->lastSequence().value_or(0) + 1;
    const int log = (*writer)->addLogFile({0, 0, Stream::Stdout, file.parent_path() / "log"});
    for (std::uint64_t sequence = first;; ++sequence) {
        (*writer)->append(numbered(sequence));
        (*writer)->appendLog(
            {log, {static_cast<std::int64_t>(sequence) * 1'000'000'000, 0}, sequence * 10, 10});
        const bool isReady = sequence == first + 1000;
        if ((isReady || sequence % 500 == 0) && !(*writer)->flush())
            return 1;
        if (isReady)
            say("ready");
    }
}

/// `restrict` takes the space away, `relieve` gives it back.
int starve(const fs::path& file, const std::function<bool()>& restrict,
           const std::function<bool()>& relieve)
{
    std::atomic<bool> isStalled = false;
    RunFileWriter::Options options{.run = "run-1"};
    options.retryDelay = std::chrono::milliseconds(20);
    options.onTrouble = [&](const Message& message) {
        say(std::string(codeName(message.code)));
        isStalled = message.code == code::RecordStalled;
        isStalled.notify_all();
    };
    auto writer = RunFileWriter::open(file, std::move(options));
    if (!writer || !(*writer)->flush() || !restrict())
        return NotPossible;
    for (std::uint64_t sequence = 1; sequence <= EventCount; ++sequence) {
        (*writer)->append(numbered(sequence));
        if (sequence == EventCount / 2)
            (void)(*writer)->flush();
    }
    isStalled.wait(false);
    if ((*writer)->flush() || (*writer)->pendingEvents() == 0)
        return 1;
    if (!RunFileReader::open(file)->events())
        return 1;
    if (!relieve() || !(*writer)->finish())
        return 1;
    const auto events = RunFileReader::open(file)->events();
    if (!events || events->size() != EventCount)
        return 1;
    for (std::uint64_t i = 0; i < EventCount; ++i) {
        if ((*events)[i] != numbered(i + 1))
            return 1;
    }
    say("whole");
    return 0;
}

bool limitFileSize(rlim_t bytes)
{
    rlimit limit{};
    (void)getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
    return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

int onFullFileSystem(const fs::path& folder)
{
    const auto mounted = [&](unsigned long flags, const char* size) {
        return mount("tmpfs", folder.c_str(), "tmpfs", flags, size) == 0;
    };
    if (unshare(CLONE_NEWNS) != 0 || mount("", "/", "", MS_REC | MS_PRIVATE, nullptr) != 0 ||
        !mounted(0, "size=256k"))
        return NotPossible;
    return starve(
        folder / "run.ringrun", [] { return true; },
        [&] { return mounted(MS_REMOUNT, "size=64m"); });
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    const fs::path path = argv[2];
    if (std::strcmp(argv[1], "flood") == 0)
        return flood(path);
    if (std::strcmp(argv[1], "full") == 0)
        return onFullFileSystem(path);
    (void)std::signal(SIGXFSZ, SIG_IGN);
    return starve(
        path, [] { return limitFileSize(200'000); }, [] { return limitFileSize(RLIM_INFINITY); });
}
