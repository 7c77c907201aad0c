#include "app/learn/LessonFindings.h"

#include "app/bridge/Messages.h"
#include "app/widget/FindingDelegate.h"
#include "app/widget/Translated.h"
#include "engine/text/Finding.h"

#include <QListWidget>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int SeverityOfRow = Qt::UserRole;

} // namespace

LessonFindings::LessonFindings(QWidget* parent) : Card(parent), m_list(new QListWidget(this))
{
    setLook(m_list, "framed");
    m_list->setItemDelegate(new FindingDelegate(SeverityOfRow, m_list));
    m_list->setWordWrap(true);
    m_list->setResizeMode(QListView::Adjust);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumHeight(44);
    content()->addWidget(m_list, 1);
    const auto choose = [this](const QListWidgetItem* item) {
        const LessonFinding& finding = m_findings[static_cast<size_t>(m_list->row(item))];
        if (finding.line > 0)
            Q_EMIT chosen(finding.isInProgram, finding.line);
    };
    connect(m_list, &QListWidget::itemActivated, this, choose);
    connect(m_list, &QListWidget::itemClicked, this, choose);
    translated(this, [this] {
        fill();
        setTexts();
    });
}

void LessonFindings::setChecking()
{
    if (!std::exchange(m_isChecking, true))
        setTexts();
}

void LessonFindings::setFindings(const std::vector<LessonFinding>& findings,
                                 const QString& programName)
{
    m_isChecking = false;
    const bool isOther = findings != m_findings || programName != m_programName;
    m_findings = findings;
    m_programName = programName;
    if (isOther)
        fill();
    setTexts();
}

const LessonFinding* LessonFindings::next(bool isInProgram, int line) const
{
    const auto hasLine = [](const LessonFinding& finding) { return finding.line > 0; };
    const auto isBehind = [&](const LessonFinding& finding) {
        return hasLine(finding) &&
               std::pair(finding.isInProgram, finding.line) > std::pair(isInProgram, line);
    };
    auto found = std::ranges::find_if(m_findings, isBehind);
    if (found == m_findings.end())
        found = std::ranges::find_if(m_findings, hasLine);
    return found == m_findings.end() ? nullptr : &*found;
}

QString LessonFindings::rowText(const LessonFinding& finding) const
{
    const QString sentence = text(finding.message);
    if (finding.line <= 0)
        return sentence;
    return finding.isInProgram
               ? tr("%1, line %2: %3").arg(m_programName, QString::number(finding.line), sentence)
               : tr("Line %1: %2").arg(QString::number(finding.line), sentence);
}

void LessonFindings::fill()
{
    m_list->clear();
    for (const LessonFinding& finding : m_findings) {
        auto* item = new QListWidgetItem(rowText(finding), m_list);
        item->setData(SeverityOfRow, static_cast<int>(Finding::Severity::Error));
        item->setData(Qt::AccessibleTextRole, tr("Error: %1").arg(item->text()));
    }
}

void LessonFindings::setTexts()
{
    setTitle(tr("Check"));
    m_list->setAccessibleName(tr("What is wrong with this lesson"));
    const auto errors = static_cast<int>(m_findings.size());
    setSubtitle(m_isChecking  ? tr("checking…")
                : errors == 0 ? tr("nothing is wrong")
                              : tr("%n errors · F8: the next one", nullptr, errors));
}

} // namespace ringmaster::app
