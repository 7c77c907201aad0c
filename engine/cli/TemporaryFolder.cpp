#include "engine/cli/TemporaryFolder.h"

#include "engine/cli/Codes.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace ringmaster {

Result<TemporaryFolder> TemporaryFolder::make(const std::string& name)
{
    const char* named = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): nothing sets it
    const std::filesystem::path parent = named != nullptr && *named != '\0' ? named : "/tmp";
    std::string path = (parent / (name + "-XXXXXX")).string();
    if (::mkdtemp(path.data()) == nullptr) {
        const int error = errno;
        return fail(code::TemporaryFolderNotMade, {{"path", parent.string()}}, errnoText(error));
    }
    return TemporaryFolder(path);
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

} // namespace ringmaster
