#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <string>
#include <utility>

namespace ringmaster {

/// A folder of this user's alone, gone with this.
class TemporaryFolder
{
public:
    /// In $TMPDIR, else in /tmp; its name begins with `name`.
    static Result<TemporaryFolder> make(const std::string& name);

    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    explicit TemporaryFolder(std::filesystem::path path) : m_path(std::move(path)) {}

    std::filesystem::path m_path; ///< Empty: moved from.
};

} // namespace ringmaster
