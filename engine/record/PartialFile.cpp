#include "engine/record/PartialFile.h"

#include "engine/base/Codes.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Files.h"

#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {

PartialFile::PartialFile(const std::filesystem::path& target)
    : m_target(target), m_path(target.string() + "." + randomToken(8) + ".partial")
{
}

PartialFile::~PartialFile()
{
    ::unlink(m_path.c_str());
}

Result<void> PartialFile::create() const
{
    const FileDescriptor file(::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return fail(errno == ENOSPC ? code::DiskFull : code::FileNotWritable,
                    {{"path", m_target.string()}}, errnoText(errno));
    return {};
}

Result<void> PartialFile::publish() const
{
    const FileDescriptor file(::open(m_path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen() || ::fsync(file.get()) != 0 ||
        ::rename(m_path.c_str(), m_target.c_str()) != 0)
        return fail(code::FileNotWritable, {{"path", m_target.string()}}, errnoText(errno));
    return {};
}

Result<void> writeWhole(const std::filesystem::path& target,
                        const std::function<Result<void>(std::ostream&)>& write)
{
    const PartialFile partial(target);
    RM_TRY(partial.create());
    std::ofstream out(partial.path(), std::ios::binary);
    RM_TRY(write(out));
    out.close();
    if (!out)
        return fail(code::FileNotWritable, {{"path", target.string()}});
    return partial.publish();
}

} // namespace ringmaster
