#include "app/editor/ChecksPanel.h"

#include "app/widget/FindingDelegate.h"
#include "app/widget/Translated.h"

#include <QListView>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

Finding asFinding(const Message& message, Finding::Severity severity = Finding::Severity::Error)
{
    return {severity, message, {"hosts", 0, 0}};
}

std::vector<Finding> asFindings(const std::vector<PreflightFinding>& preflight)
{
    using Grade = PreflightFinding::Grade;
    std::vector<Finding> findings;
    for (const PreflightFinding& finding : preflight)
        findings.push_back(asFinding(finding.message,
                                     finding.grade == Grade::Good      ? Finding::Severity::Ok
                                     : finding.grade == Grade::Warning ? Finding::Severity::Warning
                                                                       : Finding::Severity::Error));
    std::ranges::stable_sort(findings, std::ranges::greater{}, &Finding::severity);
    return findings;
}

} // namespace

ChecksPanel::ChecksPanel(QWidget* parent) : Card(parent), m_view(new QListView(this))
{
    setLook(m_view, "framed");
    m_view->setModel(&m_model);
    m_view->setItemDelegate(new FindingDelegate(ChecksModel::SeverityRole, m_view));
    m_view->setWordWrap(true);
    m_view->setResizeMode(QListView::Adjust);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content()->addWidget(m_view, 1);
    connect(m_view, &QListView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT fieldChosen(index.data(ChecksModel::FieldRole).toString());
    });
    connect(m_view, &QListView::clicked, m_view, &QListView::activated);
    translated(this, [this] { setTexts(); });
}

void ChecksPanel::setChecking()
{
    m_isChecking = true;
    setTexts();
}

void ChecksPanel::setFindings(const std::vector<Finding>& findings)
{
    m_isChecking = false;
    m_findings = findings;
    show();
}

void ChecksPanel::setPreflight(const Result<std::vector<PreflightFinding>>& answer)
{
    m_isAsking = false;
    m_preflight = answer ? asFindings(*answer) : std::vector{asFinding(answer.error())};
    show();
}

void ChecksPanel::forgetPreflight()
{
    m_isAsking = false;
    m_preflight.clear();
    show();
}

void ChecksPanel::setAsking()
{
    m_isAsking = true;
    setTexts();
}

void ChecksPanel::show()
{
    std::vector<Finding> all = m_findings;
    all.insert(all.end(), m_preflight.begin(), m_preflight.end());
    m_model.setFindings(all);
    setTexts();
}

void ChecksPanel::setTexts()
{
    setTitle(tr("Checks"));
    m_view->setAccessibleName(tr("Checks of this job"));
    const int errors = m_model.errorCount();
    setSubtitle(m_isAsking     ? tr("asking the hosts…")
                : m_isChecking ? tr("checking…")
                : errors == 0  ? tr("nothing keeps it from starting")
                               : tr("%n errors keep it from starting", nullptr, errors));
    m_view->viewport()->update();
}

} // namespace ringmaster::app
