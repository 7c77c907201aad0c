#include "app/history/HistoryPage.h"

#include "app/bridge/Words.h"
#include "app/history/CompareView.h"
#include "app/history/HistoryHead.h"
#include "app/history/RunButtons.h"
#include "app/history/RunDetails.h"
#include "app/jobs/RunPreview.h"
#include "app/widget/Card.h"
#include "app/widget/EmptyState.h"
#include "app/widget/Question.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHeaderView>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// From here on there is room beside the table, else below it.
constexpr int DetailsBeside = 1450;
constexpr int DetailsBelow = 760;
constexpr int MostDetailsWidth = 760;
/// From here on the chosen run's panels have room below both.
constexpr int PreviewBelow = 980;
constexpr int LeastPreview = 560;
constexpr int LeastDetails = 470;

} // namespace

PageDescription HistoryPage::description()
{
    return {.key = QStringLiteral("history"),
            .title = [] { return tr("History"); },
            .make = makePage<HistoryPage>};
}

HistoryPage::HistoryPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_model(bridge)
    , m_stack(new QStackedWidget(this))
    , m_list(new QWidget(this))
    , m_comparison(new CompareView(bridge, this))
    , m_head(new HistoryHead(m_model, m_filter, m_list))
    , m_card(new Card(m_list))
    , m_table(new QTableView(m_list))
    , m_buttons(new RunButtons(bridge, m_list))
    , m_details(new RunDetails(bridge, m_list))
    , m_parts(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_preview(new RunPreview(bridge, m_list))
    , m_empty(new EmptyState(m_list))
    , m_openFile(m_empty->addButton(false))
{
    buildTable();
    buildList();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    m_stack->addWidget(m_list);
    m_stack->addWidget(m_comparison);
    m_comparison->raise(); // The stack puts it before the list, for the keyboard, too.
    connectButtons();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_filter, signal, this, &HistoryPage::update);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_model, signal, this, &HistoryPage::update);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &HistoryPage::update);
    // Not while the filter says what changed: this may change the filter.
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_model, signal, m_head, &HistoryHead::updateTags);
    connect(&m_model, &QAbstractItemModel::dataChanged, m_head, &HistoryHead::updateTags);
    translated(this, [this] { setTexts(); });
}

HistoryPage::~HistoryPage() = default;

void HistoryPage::buildList()
{
    auto* layout = new QVBoxLayout(m_list);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    layout->addWidget(m_head);
    m_parts->setSpacing(12);
    m_parts->addWidget(m_card, 2);
    m_parts->addWidget(m_details, 1);
    // Shown, it mustn't keep the window from becoming small.
    m_details->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    layout->addLayout(m_parts, 1);
    layout->addWidget(m_preview, 1);
    layout->addWidget(m_empty, 1);
    m_preview->hide();
}

void HistoryPage::buildTable()
{
    m_filter.setSourceModel(&m_model);
    m_table->setModel(&m_filter);
    constexpr int RowHeight = 42; // two lines of a cause
    dressTable(*m_table, RowHeight);
    m_table->setWordWrap(true);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HistoryModel::Started, Qt::DescendingOrder);
    using Column = HistoryModel::Column;
    m_columns =
        new TableColumns(*m_table, QStringLiteral("history"),
                         {.widths = {160, 112, 90, 112, 76, 60, 76, 80, 70, 160},
                          .lastWidth = 220,
                          .givingWay = {Column::Restarts, Column::Ranks, Column::Kept, Column::Size,
                                        Column::Note, Column::Tags, Column::Duration},
                          .growing = {{Column::Note, 420}}});
    m_table->setItemDelegateForColumn(
        HistoryModel::State,
        new StateDelegate(StateDelegate::Kind::Health, HistoryModel::HealthRole, m_table));
    m_card->content()->addWidget(m_table, 1);
    m_card->content()->addWidget(m_buttons);
}

void HistoryPage::connectButtons()
{
    connect(m_buttons, &RunButtons::openRequested, this, &Page::runChosen);
    connect(m_buttons, &RunButtons::runAgainRequested, this, &Page::runAgainRequested);
    connect(m_buttons, &RunButtons::editRequested, this, &Page::editRequested);
    connect(m_buttons, &RunButtons::compareRequested, this, &HistoryPage::compare);
    connect(m_buttons, &RunButtons::toastRequested, this, &Page::toastRequested);
    const auto tell = [this](const QString& sentence) { Q_EMIT toastRequested(sentence, {}); };
    connect(m_preview, &RunPreview::openRequested, this, &Page::runChosen);
    connect(m_preview, &RunPreview::told, this, tell);
    connect(m_comparison, &CompareView::backRequested, this, &HistoryPage::showList);
    connect(m_comparison, &CompareView::told, this, tell);
    connect(m_openFile, &QPushButton::clicked, this, &Page::openRequested);
    connect(m_table, &QTableView::activated, m_buttons, &RunButtons::open);
    connect(m_table, &QTableView::customContextMenuRequested, this, [this](const QPoint& position) {
        m_buttons->openMenu(m_table->viewport()->mapToGlobal(position));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryPage::update);
}

std::vector<RunSummary> HistoryPage::selected() const
{
    std::vector<RunSummary> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        runs.push_back(m_model.at(m_filter.mapToSource(index).row()));
    return runs;
}

/// The oldest first: what came later is compared with it.
void HistoryPage::compare()
{
    auto runs = selected();
    if (runs.size() < 2)
        return;
    std::ranges::sort(runs, {}, [](const RunSummary& run) { return run.startedAt.wallNs; });
    m_comparison->compare(runs);
    m_stack->setCurrentWidget(m_comparison);
    m_comparison->setFocus();
}

void HistoryPage::showList()
{
    m_stack->setCurrentWidget(m_list);
    m_table->setFocus();
}

void HistoryPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    updateDetails();
}

void HistoryPage::updateDetails()
{
    using Column = HistoryModel::Column;
    arrange();
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (rows.size() != 1)
        return m_details->show(std::nullopt, {});
    const int row = m_filter.mapToSource(rows.front()).row();
    std::vector<RunDetails::Fact> facts;
    for (const auto column :
         {Column::State, Column::Started, Column::Duration, Column::Ranks, Column::Restarts,
          Column::Size, Column::Tags, Column::Kept, Column::Note})
        facts.emplace_back(m_model.headerData(column, Qt::Horizontal).toString(),
                           m_model.index(row, column).data().toString());
    m_details->show(m_model.at(row), std::move(facts));
    m_preview->show(m_model.at(row).id);
}

/// The details beside the list, or below it; the chosen run's panels below both.
void HistoryPage::arrange()
{
    const bool hasRuns = m_model.rowCount() > 0;
    const bool isBeside = width() >= DetailsBeside;
    const bool isPreviewed = hasRuns && isBeside && height() >= PreviewBelow;
    m_parts->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_parts->setStretch(1, isBeside ? 1 : 2);
    m_parts->setStretch(0, isBeside ? 2 : 3);
    m_details->setMaximumWidth(isBeside ? MostDetailsWidth : QWIDGETSIZE_MAX);
    m_details->setVisible(hasRuns && (isBeside || height() >= DetailsBelow));
    // Of a few runs the list leaves the rest to what there is to say of one.
    constexpr int FewRuns = 5;
    const int around = m_card->layout()->sizeHint().height() - m_table->sizeHint().height();
    const int wanted = around + tableHeight(*m_table, std::max(FewRuns, m_filter.rowCount()));
    const bool isBelow = !isBeside && !m_details->isHidden();
    const int top =
        std::min(std::max(wanted, LeastDetails), height() - m_head->height() - LeastPreview);
    m_card->setMaximumHeight(isPreviewed ? top : isBelow ? wanted : QWIDGETSIZE_MAX);
    m_details->setMaximumHeight(isPreviewed ? top : QWIDGETSIZE_MAX);
    m_card->setMinimumHeight(isPreviewed ? top : 0);
    m_preview->setVisible(isPreviewed);
    if (isPreviewed && !m_table->currentIndex().isValid() && m_filter.rowCount() > 0)
        // Whatever keys are held: Ctrl brought the page here.
        m_table->selectionModel()->setCurrentIndex(
            m_filter.index(0, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void HistoryPage::focusFilter()
{
    showList();
    m_head->focusSearch();
}

bool HistoryPage::isUnsaved() const
{
    return m_buttons->isExporting();
}

void HistoryPage::whenSaved(std::function<void()> then)
{
    if (!isUnsaved())
        return then();
    ask(window(),
        {.objectName = QStringLiteral("unfinishedExport"),
         .title = tr("Close the window?"),
         .text = tr("An export isn't finished yet."),
         .information = tr("If the window closes, it is given up, and no file is left of it."),
         .accept = tr("Close the window"),
         .keep = tr("Keep exporting")},
        [then = std::move(then)](bool /*skips*/) { then(); });
}

QVariantMap HistoryPage::saveState() const
{
    return {{QStringLiteral("list"), m_table->horizontalHeader()->saveState()}};
}

void HistoryPage::restoreState(const QVariantMap& state)
{
    m_table->horizontalHeader()->restoreState(state.value(QStringLiteral("list")).toByteArray());
    m_columns->fit();
}

void HistoryPage::update()
{
    const bool isEmpty = m_model.rowCount() == 0;
    m_card->setVisible(!isEmpty);
    m_head->setFiltersShown(!isEmpty);
    m_empty->setVisible(isEmpty);
    m_card->setSubtitle(tr("%n runs, %1", nullptr, m_filter.rowCount())
                            .arg(bytesText(static_cast<std::int64_t>(m_model.totalBytes()))));
    for (const auto column : {HistoryModel::Tags, HistoryModel::Kept, HistoryModel::Note})
        m_columns->setUseful(column, m_model.hasAny(column));
    m_buttons->setRuns(selected());
    updateDetails();
}

void HistoryPage::setTexts()
{
    m_card->setTitle(tr("Finished runs"));
    m_table->setAccessibleName(tr("Finished runs"));
    m_openFile->setText(tr("Open run file…"));
    m_empty->setTexts(
        tr("No finished runs yet"),
        tr("A run stays here when it ends, with its logs and events, until 50 newer ones or 10 GB "
           "need its place; a pinned one stays for good."));
    update();
}

} // namespace ringmaster::app
