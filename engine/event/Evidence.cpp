#include "engine/event/Evidence.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t FewestFrames = 4;

size_t sizeOf(const std::vector<ThreadStack>& threads)
{
    constexpr size_t Overhead = 8;
    size_t size = 0;
    for (const ThreadStack& thread : threads) {
        size += thread.name.size() + Overhead;
        for (const StackFrame& frame : thread.frames)
            size += frame.function.size() + frame.file.size() + Overhead;
    }
    return size;
}

size_t sizeOf(const Evidence& evidence)
{
    constexpr size_t Overhead = 256;
    size_t size = 0;
    for (const RankEvidence& rank : evidence.ranks)
        size += sizeOf(rank.threads) + sizeOf(rank.nativeThreads) + Overhead;
    return size;
}

void keepInnermost(ThreadStack& thread, size_t most)
{
    if (thread.frames.size() <= most)
        return;
    thread.leftOut += static_cast<int>(thread.frames.size() - most);
    thread.frames.resize(most);
}

} // namespace

void limitEvidence(Evidence& evidence, size_t most)
{
    size_t size = sizeOf(evidence);
    const auto shrink = [&](auto&& part) {
        for (auto rank = evidence.ranks.rbegin(); rank != evidence.ranks.rend(); ++rank) {
            if (size <= most)
                return;
            const size_t before = sizeOf(rank->threads) + sizeOf(rank->nativeThreads);
            part(*rank);
            size -= before - sizeOf(rank->threads) - sizeOf(rank->nativeThreads);
            evidence.isPart = true;
        }
    };
    shrink([](RankEvidence& rank) { rank.nativeThreads.clear(); });
    shrink(
        [](RankEvidence& rank) { rank.threads.resize(std::min<size_t>(rank.threads.size(), 1)); });
    shrink([](RankEvidence& rank) {
        for (ThreadStack& thread : rank.threads)
            keepInnermost(thread, FewestFrames);
    });
    shrink([](RankEvidence& rank) { rank.threads.clear(); });
}

} // namespace ringmaster
