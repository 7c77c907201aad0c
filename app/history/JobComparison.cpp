#include "app/history/JobComparison.h"

#include <QMap>
#include <QStringList>

namespace ringmaster::app {

namespace {

/// Settings by "table.key". A value may go over several lines; a second [[role]] table is "role.1".
class Settings
{
public:
    explicit Settings(const std::string& jobFile)
    {
        for (const QString& line : QString::fromStdString(jobFile).split(u'\n'))
            read(line);
    }

    const QStringList& names() const { return m_names; }
    QString value(const QString& name) const { return m_values.value(name); }
    bool has(const QString& name) const { return m_values.contains(name); }

private:
    void read(const QString& line)
    {
        const QString trimmed = line.trimmed();
        const bool isIndented = !line.isEmpty() && line.front().isSpace();
        if (trimmed.isEmpty() || (trimmed.startsWith(u'#') && !isIndented))
            return;
        if (!isIndented && trimmed.startsWith(u'['))
            return beginTable(trimmed);
        const qsizetype equals = trimmed.indexOf(QLatin1String(" = "));
        if (!isIndented && equals > 0) {
            m_current = m_table + trimmed.left(equals);
            m_names.append(m_current);
            m_values[m_current] = trimmed.mid(equals + 3);
        } else if (!m_current.isEmpty()) {
            m_values[m_current] += u' ' + trimmed;
        }
    }

    void beginTable(QString header)
    {
        header.remove(u'[').remove(u']');
        const int count = m_tables[header]++;
        m_table = header + (count > 0 ? QStringLiteral(".%1.").arg(count) : QStringLiteral("."));
    }

    QString m_table;
    QString m_current;
    QMap<QString, int> m_tables;
    QStringList m_names;
    QMap<QString, QString> m_values;
};

} // namespace

std::vector<SettingDifference> compareJobs(const std::string& left, const std::string& right)
{
    const Settings first(left);
    const Settings second(right);
    std::vector<SettingDifference> differences;
    QStringList names = first.names();
    for (const QString& name : second.names()) {
        if (!first.has(name))
            names.append(name);
    }
    for (const QString& name : names) {
        if (first.value(name) != second.value(name))
            differences.push_back({name, first.value(name), second.value(name)});
    }
    return differences;
}

} // namespace ringmaster::app
