#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace ringmaster {

/// A folder of this user's alone, gone with this.
class TemporaryFolder
{
public:
    explicit TemporaryFolder(const std::string& name)
    {
        std::string path = (std::filesystem::temp_directory_path() / (name + "-XXXXXX")).string();
        if (::mkdtemp(path.data()) != nullptr)
            m_path = path;
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        if (!m_path.empty())
            std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    /// Empty: it couldn't be made.
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

} // namespace ringmaster
