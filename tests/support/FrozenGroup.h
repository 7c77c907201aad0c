#pragma once

#include <QDir>
#include <QFile>

#include <unistd.h>

namespace ringmaster::test {

/// A freezer cgroup of version 1: what is frozen in it can't be killed (state D) until it is
/// thawed, which the destructor does. Where it can't be made (root only) it isn't usable.
class FrozenGroup
{
public:
    FrozenGroup()
        : m_folder("/sys/fs/cgroup/freezer/ringmaster-test-" + QString::number(::getpid()))
    {
        m_isUsable = QFile::exists("/sys/fs/cgroup/freezer/cgroup.procs") && QDir().mkdir(m_folder);
    }
    ~FrozenGroup()
    {
        thaw();
        // Whoever was in it is on its way out. One that stays is in the next one's way.
        for (int i = 0; m_isUsable && i < 6'000 && !QDir().rmdir(m_folder); ++i)
            ::usleep(10'000);
        if (m_isUsable && QFile::exists(m_folder))
            qWarning("somebody is still in %s", qPrintable(m_folder));
    }
    FrozenGroup(const FrozenGroup&) = delete;
    FrozenGroup& operator=(const FrozenGroup&) = delete;

    bool isUsable() const { return m_isUsable; }

    /// True when all of it is frozen.
    bool freeze(const QList<pid_t>& processes)
    {
        for (const pid_t pid : processes)
            if (!write("/cgroup.procs", QByteArray::number(pid)))
                return false;
        write("/freezer.state", "FROZEN");
        for (int i = 0; i < 1000 && state() != "FROZEN"; ++i)
            ::usleep(10'000);
        return state() == "FROZEN";
    }
    void thaw() { write("/freezer.state", "THAWED"); }

private:
    bool write(const QString& file, const QByteArray& text)
    {
        QFile target(m_folder + file);
        return m_isUsable && target.open(QIODevice::WriteOnly | QIODevice::Unbuffered) &&
               target.write(text) == text.size();
    }
    QByteArray state() const
    {
        QFile file(m_folder + "/freezer.state");
        return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
    }

    QString m_folder;
    bool m_isUsable = false;
};

} // namespace ringmaster::test
