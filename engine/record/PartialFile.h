#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <functional>
#include <iosfwd>

namespace ringmaster {

/// A file that is written beside the one that it replaces, and is gone again unless it is
/// published.
class PartialFile
{
public:
    explicit PartialFile(const std::filesystem::path& target);
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile();

    const std::filesystem::path& path() const { return m_path; }

    /// An empty file, for its owner alone.
    Result<void> create() const;
    /// Replaces the target in one step, once everything is on disk. That may take long:
    /// `isCancelled` ends it with code::Cancelled.
    Result<void> publish(const std::function<bool()>& isCancelled = {}) const;

private:
    std::filesystem::path m_target;
    std::filesystem::path m_path;
};

/// The target becomes what `write` gives, in one step; it stays as it was where that fails.
Result<void> writeWhole(const std::filesystem::path& target,
                        const std::function<Result<void>(std::ostream&)>& write);

} // namespace ringmaster
