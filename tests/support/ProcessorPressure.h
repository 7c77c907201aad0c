#pragma once

#include <QByteArray>
#include <QFile>

#include <optional>

#include <unistd.h>

namespace ringmaster::test {

/// Milliseconds since boot in which somebody here waited for a processor, or a virtual machine had
/// to; nothing where the kernel doesn't count them.
inline std::optional<qint64> waitedForProcessors()
{
    QFile pressure("/proc/pressure/cpu");
    QFile times("/proc/stat");
    if (!pressure.open(QIODevice::ReadOnly) || !times.open(QIODevice::ReadOnly))
        return std::nullopt;
    // proc(5): "some avg10=0.00 … total=MICROSECONDS"; "cpu  user nice system idle iowait irq
    // softirq steal …".
    const QByteArray some = pressure.readAll().split('\n').value(0);
    const QByteArray cpu = times.readAll().split('\n').value(0);
    if (!some.contains("total=")) // off: it can be opened, and not read
        return std::nullopt;
    const qint64 waited = some.mid(some.indexOf("total=") + 6).trimmed().toLongLong() / 1000;
    const qint64 stolen = cpu.simplified().split(' ').value(8).toLongLong();
    return waited + stolen * 1000 / ::sysconf(_SC_CLK_TCK);
}

/// Whether all that ran had a processor, but for a second in all: from its making on.
class Turns
{
public:
    bool wereThere() const
    {
        const auto now = waitedForProcessors();
        // The kernel's figures may be two seconds old.
        return m_before && now && *now - *m_before < 1'000;
    }

private:
    std::optional<qint64> m_before = waitedForProcessors();
};

} // namespace ringmaster::test
