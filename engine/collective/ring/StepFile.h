#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/collective/ring/Observer.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace ringmaster::ring {

/// Writes every chunk that arrives at this rank into a file, for whoever shows it. A line of JSON
/// each, appended in one write, so that a reader may follow and several groups may share it:
///
///   {"at":123,"group":1,"rank":2,"operation":"all_reduce","algorithm":"ring","type":"float32",
///    "sequence":7,"step":0,"chunk":1,"from":1,"to":2,"bytes":8,"before":["1.0","2.0"],
///    "arrived":["2.0","2.0"],"after":["3.0","4.0"]}
///
/// `at` is CLOCK_MONOTONIC in ns; `group` counts the groups of the process, from 1; ranks are the
/// group's; values are as Python writes them, and left out for tensors above
/// ChunkStep::LargestShown. Asked for by RINGMASTER_RING_STEPS, the file's path. It stops at
/// `LargestFile`, with a line {"limit":…}.
///
/// Who wants to see what a broken wire does gives a file of four bytes, too
/// (RINGMASTER_RING_FAULT): a 1 in it flips a bit in the next chunk that arrives, whose line then
/// has "corrupted":true.
class StepFile : public Observer
{
public:
    static constexpr std::uint64_t LargestFile = 64U << 20U;

    /// Null where it can't be opened or isn't asked for (no path).
    static std::unique_ptr<StepFile> open(const std::filesystem::path& path, int group,
                                          const std::filesystem::path& faults = {});
    ~StepFile() override;
    StepFile(const StepFile&) = delete;
    StepFile& operator=(const StepFile&) = delete;

    /// What bytes are in operations that only move them; before each.
    void setElementType(DataType type) { m_type = type; }

    void arrived(const ChunkStep& step) override;
    bool corruptsNext() override;

private:
    StepFile(FileDescriptor file, int group) : m_file(std::move(file)), m_group(group) {}

    FileDescriptor m_file;
    int m_group;
    std::atomic<DataType> m_type{DataType::Bytes};
    bool m_isFull = false;
    std::uint32_t* m_fault = nullptr; ///< Shared with whoever wants faults; null: nobody.
};

/// Elements as Python writes them: 1.0, -2, True, inf.
std::string elementsText(ConstBytes data, DataType type);

} // namespace ringmaster::ring
