#pragma once

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <unistd.h>

namespace ringmaster::test {

/// A memory cgroup below this process's own, of either version; gone when it is destroyed, once
/// nobody is in it. Where it can't be made it isn't usable.
class MemoryGroup
{
public:
    explicit MemoryGroup(qint64 limit)
    {
        for (const auto& [line, root, file] :
             {std::tuple{"^\\d+:memory:(.*)$", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
              std::tuple{"^0::(.*)$", "/sys/fs/cgroup", "memory.max"}}) {
            const QString folder =
                root + ownGroup(line) + "/ringmaster-test-" + QString::number(::getpid());
            if (!QFile::exists(QFileInfo(folder).path() + "/cgroup.procs") || !QDir().mkdir(folder))
                continue;
            if (write(folder + '/' + file, limit)) {
                m_folder = folder;
                return;
            }
            QDir().rmdir(folder);
        }
    }
    ~MemoryGroup()
    {
        if (isUsable())
            QDir().rmdir(m_folder);
    }
    MemoryGroup(const MemoryGroup&) = delete;
    MemoryGroup& operator=(const MemoryGroup&) = delete;

    bool isUsable() const { return !m_folder.isEmpty(); }
    /// A process that writes its id there is in the group.
    QString members() const { return m_folder + "/cgroup.procs"; }

private:
    static QString ownGroup(const char* line)
    {
        QFile file("/proc/self/cgroup");
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QRegularExpression pattern(line, QRegularExpression::MultilineOption);
        const QString group = pattern.match(QString::fromUtf8(file.readAll())).captured(1);
        return group == "/" ? QString() : group;
    }

    static bool write(const QString& path, qint64 number)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) &&
               file.write(QByteArray::number(number)) > 0;
    }

    QString m_folder;
};

} // namespace ringmaster::test
