#include "app/hosts/PreflightPanel.h"

#include "app/bridge/Messages.h"
#include "app/widget/FindingDelegate.h"
#include "app/widget/Theme.h"
#include "app/widget/Translated.h"
#include "engine/text/Finding.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

namespace ringmaster::app {

namespace {

Finding::Severity severityOf(PreflightFinding::Grade grade)
{
    switch (grade) {
    case PreflightFinding::Grade::Good: return Finding::Severity::Ok;
    case PreflightFinding::Grade::Warning: return Finding::Severity::Warning;
    case PreflightFinding::Grade::Bad: return Finding::Severity::Error;
    }
    return Finding::Severity::Error;
}

} // namespace

PreflightList::PreflightList(QObject* parent) : RowsModel(parent)
{
    setColumns(
        {{.text = [](const PreflightFinding& finding) { return text(finding.message); },
          .toolTip = [](const PreflightFinding& finding) { return detailOf(finding.message); }}});
}

QVariant PreflightList::rowData(const PreflightFinding& finding, const QModelIndex& /*index*/,
                                int role) const
{
    switch (role) {
    case SeverityRole: return static_cast<int>(severityOf(finding.grade));
    case FixRole: return QString::fromStdString(finding.fix);
    default: return {};
    }
}

PreflightPanel::PreflightPanel(QWidget* parent)
    : Card(parent)
    , m_table(new QTableView(this))
    , m_sentences(new QListView(this))
    , m_fix(new QLineEdit(this))
    , m_copy(new QToolButton(this))
    , m_run(new QPushButton(this))
{
    build();
    connect(m_run, &QPushButton::clicked, this, &PreflightPanel::requested);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &PreflightPanel::showCell);
    connect(m_sentences->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &PreflightPanel::showFix);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_fix->text()); });
    showFix();
    translated(this, [this] { setTexts(); });
}

void PreflightPanel::build()
{
    addHeaderWidget(m_run);
    m_run->setObjectName(QStringLiteral("runPreflight"));
    setLook(m_table, "framed");
    m_table->setModel(&m_matrix);
    m_table->setItemDelegate(new PreflightDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->setMinimumWidth(260);
    m_table->horizontalHeader()->setDefaultSectionSize(92);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->verticalHeader()->setDefaultSectionSize(32);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setHighlightSections(false);
    setLook(m_sentences, "framed");
    m_sentences->setModel(&m_list);
    m_sentences->setItemDelegate(new FindingDelegate(PreflightList::SeverityRole, m_sentences));
    m_sentences->setWordWrap(true);
    m_sentences->setResizeMode(QListView::Adjust);
    m_sentences->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_sentences->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_fix->setReadOnly(true);
    m_fix->setFont(monospaceFont());
    setLook(m_copy, "button");
    auto* fix = new QHBoxLayout;
    fix->setSpacing(8);
    fix->addWidget(m_fix, 1);
    fix->addWidget(m_copy);
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    right->addWidget(m_sentences, 1);
    right->addLayout(fix);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(12);
    columns->addWidget(m_table, 6);
    columns->addLayout(right, 6);
    content()->addLayout(columns, 1);
}

void PreflightPanel::setRunning(const std::vector<std::string>& hosts)
{
    m_isRunning = true;
    m_failure.clear();
    if (hosts != m_matrix.hosts())
        m_matrix.setFindings(hosts, {});
    setTexts();
}

void PreflightPanel::setFindings(const std::vector<std::string>& hosts,
                                 const std::vector<PreflightFinding>& findings)
{
    m_isRunning = false;
    m_failure.clear();
    m_matrix.setFindings(hosts, findings);
    showCell();
    setTexts();
}

void PreflightPanel::setFailed(const QString& why)
{
    m_isRunning = false;
    m_failure = why;
    setTexts();
}

void PreflightPanel::showCell()
{
    const QModelIndexList chosen = m_table->selectionModel()->selectedIndexes();
    m_list.setFindings(!chosen.isEmpty()             ? m_matrix.at(chosen.first())
                       : m_matrix.troubles().empty() ? m_matrix.ofHosts()
                                                     : m_matrix.troubles());
    m_sentences->setCurrentIndex(m_list.index(0, 0));
    showFix();
}

void PreflightPanel::showFix()
{
    const QString fix = m_sentences->currentIndex().data(PreflightList::FixRole).toString();
    m_fix->setText(fix);
    m_fix->setCursorPosition(0);
    m_fix->setVisible(!fix.isEmpty());
    m_copy->setVisible(!fix.isEmpty());
}

void PreflightPanel::updateSubtitle()
{
    const int bad = m_matrix.badCount();
    setSubtitle(m_isRunning            ? tr("asking the hosts and each for the others…")
                : !m_failure.isEmpty() ? m_failure
                : m_matrix.isEmpty()   ? tr("can they run a job together? Not asked yet")
                : bad > 0 ? tr("%n problems would keep a job from running", nullptr, bad)
                : m_matrix.troubles().empty() ? tr("nothing keeps a job from running")
                                              : tr("a job can run; some things are worth a look"));
}

void PreflightPanel::setTexts()
{
    setTitle(tr("Preflight"));
    m_run->setText(tr("Run preflight"));
    m_run->setEnabled(!m_isRunning);
    m_run->setToolTip(tr("Asks every host for what a job needs, and every pair whether each "
                         "reaches the other"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy this line; in a terminal it mends what is chosen above"));
    m_fix->setAccessibleName(tr("Line that mends it"));
    m_table->setAccessibleName(tr("Preflight, host by host"));
    m_sentences->setAccessibleName(tr("What the preflight found"));
    updateSubtitle();
    m_table->viewport()->update();
    m_sentences->viewport()->update();
}

} // namespace ringmaster::app
