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
#include <QResizeEvent>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

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

constexpr int PartsBeside = 900; ///< From this width on.
constexpr int Slack = 6;         ///< For the borders that a style sheet puts around.
constexpr int MostOfEach = 420;  ///< Higher ones scroll.
constexpr int LeastCellWidth = 92;
constexpr int MostCellWidth = 180;
constexpr int LeastMatrixWidth = 260;

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
    , m_parts(new QBoxLayout(QBoxLayout::LeftToRight))
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
    m_table->horizontalHeader()->setDefaultSectionSize(LeastCellWidth);
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
    m_parts->setSpacing(12);
    m_parts->addWidget(m_table, 1);
    m_parts->addLayout(right, 1);
    content()->addLayout(m_parts, 1);
}

void PreflightPanel::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    place();
    if (event->size().width() != event->oldSize().width())
        Q_EMIT heightChanged();
}

/// One below the other, the matrix has what it needs and the sentences the rest.
void PreflightPanel::place()
{
    const bool isStacked = width() < PartsBeside;
    m_parts->setDirection(isStacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_table->setMinimumHeight(isStacked ? std::min(matrixHeight(), MostOfEach) : 0);
    m_table->setMaximumHeight(isStacked ? m_table->minimumHeight() : QWIDGETSIZE_MAX);
    // Beside the sentences it has the width of its columns, as far as they leave it.
    const int columns = m_matrix.columnCount() * LeastCellWidth +
                        m_table->verticalHeader()->sizeHint().width() + Slack;
    const int most = isStacked ? LeastMatrixWidth : widthInside(width()) * 3 / 5;
    m_table->setMinimumWidth(
        std::clamp(columns, LeastMatrixWidth, std::max(LeastMatrixWidth, most)));
    if (m_matrix.isEmpty())
        return;
    const int room = (isStacked ? widthInside(width()) : m_table->width()) -
                     m_table->verticalHeader()->sizeHint().width() - 2 * m_table->frameWidth();
    m_table->horizontalHeader()->setDefaultSectionSize(
        std::clamp(room / m_matrix.columnCount(), LeastCellWidth, MostCellWidth));
}

int PreflightPanel::matrixHeight() const
{
    const int room = widthInside(width()) - m_table->verticalHeader()->sizeHint().width();
    const bool scrolls = room < m_matrix.columnCount() * LeastCellWidth;
    return m_table->horizontalHeader()->sizeHint().height() +
           m_matrix.rowCount() * m_table->verticalHeader()->defaultSectionSize() +
           (scrolls ? m_table->horizontalScrollBar()->sizeHint().height() : 0) +
           2 * m_table->frameWidth() + Slack;
}

Card::Height PreflightPanel::heightIn(int width) const
{
    constexpr int Least = 80;
    int said = 2 * m_sentences->frameWidth() + Slack;
    for (int row = 0; row < m_list.rowCount(); ++row)
        said += m_sentences->sizeHintForRow(row);
    said = std::clamp(said, Least, MostOfEach);
    if (!m_fix->text().isEmpty())
        said += m_fix->sizeHint().height() + content()->spacing();
    const int matrix = m_matrix.isEmpty() ? 0 : std::min(matrixHeight(), MostOfEach);
    const int parts =
        width < PartsBeside ? matrix + m_parts->spacing() + said : std::max(matrix, said);
    const QMargins margins = layout()->contentsMargins();
    const int around =
        margins.top() + margins.bottom() + m_run->sizeHint().height() + 2 * content()->spacing();
    return {around + Least, around + parts};
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
    place();
    Q_EMIT heightChanged();
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
