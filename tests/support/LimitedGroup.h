#pragma once

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <unistd.h>

namespace ringmaster::test {

/// A cgroup below this process's own, of either version, that may have so much; gone when it is
/// destroyed, once nobody is in it. Where it can't be made it isn't usable.
class LimitedGroup
{
public:
    /// `oldFile` and `newFile` hold the limit in version 1 and 2. What is `inherited` has to be
    /// said in version 1: it is the parent's.
    LimitedGroup(const QString& controller, const QString& oldFile, const QString& newFile,
                 qint64 limit, const QString& inherited = {})
    {
        for (const auto& [line, root, file] :
             {std::tuple{"^\\d+:" + controller + ":(.*)$", "/sys/fs/cgroup/" + controller, oldFile},
              std::tuple{QString("^0::(.*)$"), QString("/sys/fs/cgroup"), newFile}}) {
            const QString folder =
                root + ownGroup(line) + "/ringmaster-test-" + QString::number(::getpid());
            if (!QFile::exists(QFileInfo(folder).path() + "/cgroup.procs") || !QDir().mkdir(folder))
                continue;
            QFile parents(folder + "/../" + inherited);
            if (!inherited.isEmpty() && parents.open(QIODevice::ReadOnly))
                write(folder + '/' + inherited, parents.readAll().trimmed());
            if (write(folder + '/' + file, QByteArray::number(limit))) {
                m_folder = folder;
                return;
            }
            QDir().rmdir(folder);
        }
    }
    ~LimitedGroup()
    {
        // Whoever was in it is on its way out. One that stays is in the next one's way.
        for (int i = 0; isUsable() && i < 6'000 && !QDir().rmdir(m_folder); ++i)
            ::usleep(10'000);
        if (isUsable() && QFile::exists(m_folder))
            qWarning("somebody is still in %s", qPrintable(m_folder));
    }
    LimitedGroup(const LimitedGroup&) = delete;
    LimitedGroup& operator=(const LimitedGroup&) = delete;

    bool isUsable() const { return !m_folder.isEmpty(); }
    /// A process that writes its id there is in the group.
    QString members() const { return m_folder + "/cgroup.procs"; }
    /// Puts this process into the group, or back where it was.
    bool enter() const { return write(members(), QByteArray::number(::getpid())); }
    bool leave() const
    {
        return write(m_folder + "/../cgroup.procs", QByteArray::number(::getpid()));
    }

private:
    static QString ownGroup(const QString& line)
    {
        QFile file("/proc/self/cgroup");
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QRegularExpression pattern(line, QRegularExpression::MultilineOption);
        const QString group = pattern.match(QString::fromUtf8(file.readAll())).captured(1);
        return group == "/" ? QString() : group;
    }

    static bool write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && file.write(text) > 0;
    }

    QString m_folder;
};

class MemoryGroup : public LimitedGroup
{
public:
    explicit MemoryGroup(qint64 bytes)
        : LimitedGroup("memory", "memory.limit_in_bytes", "memory.max", bytes)
    {
    }
};

/// That may use this processor alone.
class ProcessorGroup : public LimitedGroup
{
public:
    explicit ProcessorGroup(int processor)
        : LimitedGroup("cpuset", "cpuset.cpus", "cpuset.cpus", processor, "cpuset.mems")
    {
    }
};

/// Of processes and threads together.
class ProcessesGroup : public LimitedGroup
{
public:
    explicit ProcessesGroup(qint64 most) : LimitedGroup("pids", "pids.max", "pids.max", most) {}
};

} // namespace ringmaster::test
