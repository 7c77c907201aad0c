#include "app/history/HistoryPage.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/history/CompareView.h"
#include "app/history/ConfirmDelete.h"
#include "app/history/HistoryHead.h"
#include "app/history/LabelsDialog.h"
#include "app/history/RunDetails.h"
#include "app/widget/Card.h"
#include "app/widget/EmptyState.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableColumns.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QFileDialog>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

/// As long as the message that offers to take a deletion back stays.
constexpr auto UndoTime = 10s;
/// From here on there is room beside the table, else below it.
constexpr int DetailsBeside = 1450;
constexpr int DetailsBelow = 760;
constexpr int MostDetailsWidth = 760;

} // namespace

PageDescription HistoryPage::description()
{
    return describePage<HistoryPage>(QStringLiteral("history"));
}

HistoryPage::HistoryPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_jobs(bridge)
    , m_model(bridge)
    , m_stack(new QStackedWidget(this))
    , m_list(new QWidget(this))
    , m_comparison(new CompareView(bridge, this))
    , m_head(new HistoryHead(m_model, m_filter, m_list))
    , m_card(new Card(m_list))
    , m_table(new QTableView(m_list))
    , m_details(new RunDetails(bridge, m_list))
    , m_parts(new QBoxLayout(QBoxLayout::LeftToRight))
    , m_empty(new EmptyState(m_list))
    , m_open(new QPushButton(m_list))
    , m_runAgain(new QPushButton(m_list))
    , m_edit(new QPushButton(m_list))
    , m_compare(new QPushButton(m_list))
    , m_label(new QPushButton(m_list))
    , m_pin(new QPushButton(m_list))
    , m_export(new QPushButton(m_list))
    , m_delete(new QPushButton(m_list))
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

QString HistoryPage::title() const
{
    return tr("History");
}

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
    layout->addWidget(m_empty, 1);
}

std::vector<QPushButton*> HistoryPage::buttons() const
{
    return {m_open, m_runAgain, m_edit, m_compare, m_label, m_pin, m_export, m_delete};
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
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (QPushButton* button : buttons())
        row->addWidget(button);
    row->addStretch();
    m_card->content()->addWidget(m_table, 1);
    m_card->content()->addLayout(row);
}

void HistoryPage::connectButtons()
{
    connect(m_open, &QPushButton::clicked, this, &HistoryPage::openSelected);
    connect(m_runAgain, &QPushButton::clicked, this, &HistoryPage::runAgain);
    connect(m_edit, &QPushButton::clicked, this, &HistoryPage::edit);
    connect(m_compare, &QPushButton::clicked, this, &HistoryPage::compare);
    connect(m_label, &QPushButton::clicked, this, &HistoryPage::label);
    connect(m_export, &QPushButton::clicked, this, &HistoryPage::exportSelected);
    connect(m_comparison, &CompareView::backRequested, this, &HistoryPage::showList);
    connect(m_comparison, &CompareView::told, this,
            [this](const QString& sentence) { Q_EMIT toastRequested(sentence, {}); });
    connect(m_pin, &QPushButton::clicked, this, &HistoryPage::togglePin);
    connect(m_delete, &QPushButton::clicked, this, &HistoryPage::deleteSelected);
    connect(m_openFile, &QPushButton::clicked, this, &Page::openRequested);
    connect(m_table, &QTableView::activated, this, &HistoryPage::openSelected);
    connect(m_table, &QTableView::customContextMenuRequested, this, &HistoryPage::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &HistoryPage::update);
}

void HistoryPage::showMenu(const QPoint& position)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QPushButton* button : buttons()) {
        QAction* action = menu->addAction(button->text(), button, &QPushButton::click);
        action->setEnabled(button->isEnabled());
    }
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

std::vector<RunSummary> HistoryPage::selected() const
{
    std::vector<RunSummary> runs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        runs.push_back(m_model.at(m_filter.mapToSource(index).row()));
    return runs;
}

void HistoryPage::openSelected()
{
    if (const auto runs = selected(); !runs.empty())
        Q_EMIT runChosen(QString::fromStdString(runs.front().id));
}

void HistoryPage::runAgain()
{
    if (const auto runs = selected(); runs.size() == 1) {
        m_jobs.fetch({runs.front().id}, [this, machine = machineOf(runs.front().id)](
                                            const std::vector<RunStarted>& jobs) {
            Q_EMIT runAgainRequested(QString::fromStdString(jobs.front().jobFile),
                                     QString::fromStdString(jobs.front().workingFolder), machine);
        });
    }
}

void HistoryPage::edit()
{
    if (const auto runs = selected(); runs.size() == 1) {
        m_jobs.fetch({runs.front().id}, [this](const std::vector<RunStarted>& jobs) {
            Q_EMIT editRequested(QString::fromStdString(jobs.front().jobFile),
                                 QString::fromStdString(jobs.front().workingFolder));
        });
    }
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

EngineBridge::Reply<void> HistoryPage::sayingWhyNot()
{
    return [this](const Result<void>& done) {
        if (!done)
            Q_EMIT toastRequested(text(done.error()), {});
    };
}

void HistoryPage::label()
{
    const auto runs = selected();
    if (runs.size() != 1)
        return;
    auto* dialog = new LabelsDialog(runs.front(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, id = runs.front().id] {
        m_bridge.setLabels(id, dialog->labels(), this, sayingWhyNot());
    });
    dialog->open();
}

void HistoryPage::togglePin()
{
    for (const RunSummary& run : selected())
        m_bridge.setPinned(run.id, !run.isPinned, this, sayingWhyNot());
}

void HistoryPage::exportSelected()
{
    const auto runs = selected();
    if (runs.size() != 1)
        return;
    const std::string id = runs.front().id;
    auto* dialog = new QFileDialog(this, tr("Export the run"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Runs (*.ringrun)"), tr("All files (*)")});
    dialog->setDefaultSuffix(QStringLiteral("ringrun"));
    const auto there = MachineRun::parse(id);
    dialog->selectFile(QString::fromStdString(there ? there->run : id) +
                       QStringLiteral(".ringrun"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, id](const QString& file) {
        m_bridge.exportRun(id, file.toStdString(), this,
                           [this, file](const Result<ExportReport>& report) {
                               Q_EMIT toastRequested(
                                   report ? exportedText(file, *report) : text(report.error()), {});
                           });
    });
    dialog->open();
}

/// What goes out has its secrets masked, which whoever passes it on wants to know.
QString HistoryPage::exportedText(const QString& file, const ExportReport& report)
{
    const QString size = bytesText(static_cast<std::int64_t>(report.fileBytes));
    const auto masked = static_cast<int>(report.maskedNames.size());
    return masked == 0
               ? tr("Exported to %1 (%2)").arg(file, size)
               : tr("Exported to %1 (%2); %n secrets are masked", nullptr, masked).arg(file, size);
}

void HistoryPage::deleteSelected()
{
    const auto runs = selected();
    if (!runs.empty())
        confirmDelete(this, runs, [this, runs] { hideAndDelete(runs); });
}

void HistoryPage::hideAndDelete(const std::vector<RunSummary>& runs)
{
    for (const RunSummary& run : runs)
        m_model.setHidden(run.id, true);
    auto* timer = new QTimer(this);
    timer->setSingleShot(true);
    connect(timer, &QTimer::timeout, this, [this, timer, runs] {
        timer->deleteLater();
        removeNow(runs);
    });
    timer->start(UndoTime);
    Q_EMIT toastRequested(tr("%n runs deleted", nullptr, static_cast<int>(runs.size())),
                          [this, timer = QPointer(timer), runs] {
                              if (timer == nullptr)
                                  return;
                              delete timer;
                              for (const RunSummary& run : runs)
                                  m_model.setHidden(run.id, false);
                          });
}

void HistoryPage::removeNow(const std::vector<RunSummary>& runs)
{
    for (const RunSummary& run : runs) {
        m_bridge.remove(run.id, this, [this, id = run.id](const Result<void>& done) {
            if (done)
                return;
            m_model.setHidden(id, false);
            Q_EMIT toastRequested(text(done.error()), {});
        });
    }
}

void HistoryPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    updateDetails();
}

void HistoryPage::updateDetails()
{
    using Column = HistoryModel::Column;
    const bool isBeside = width() >= DetailsBeside;
    m_parts->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_parts->setStretch(1, isBeside ? 1 : 2);
    m_parts->setStretch(0, isBeside ? 2 : 3);
    m_details->setMaximumWidth(isBeside ? MostDetailsWidth : QWIDGETSIZE_MAX);
    const bool areShown = m_model.rowCount() > 0 && (isBeside || height() >= DetailsBelow);
    m_details->setVisible(areShown);
    // Of a few runs the list leaves the rest to what there is to say of one.
    constexpr int FewRuns = 5;
    const int around = m_card->layout()->sizeHint().height() - m_table->sizeHint().height();
    const int wanted = around + tableHeight(*m_table, std::max(FewRuns, m_filter.rowCount()));
    m_card->setMaximumHeight(areShown && !isBeside ? wanted : QWIDGETSIZE_MAX);
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
}

void HistoryPage::focusFilter()
{
    showList();
    m_head->focusSearch();
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
    const auto runs = selected();
    const bool one = runs.size() == 1;
    for (QPushButton* button : {m_open, m_runAgain, m_edit, m_label, m_export})
        button->setEnabled(one);
    m_compare->setEnabled(runs.size() >= 2);
    const auto elsewhere = std::ranges::find_if(
        runs, [](const RunSummary& run) { return !machineOf(run.id).isEmpty(); });
    const QString reason = elsewhere == runs.end()
                               ? QString()
                               : tr("Its files are on %1").arg(machineOf(elsewhere->id));
    m_edit->setEnabled(one && reason.isEmpty());
    m_edit->setToolTip(reason);
    m_compare->setToolTip(tr("Select two or more runs to lay them beside each other"));
    for (QPushButton* button : {m_pin, m_delete})
        button->setEnabled(!runs.empty());
    m_pin->setText(one && runs.front().isPinned ? tr("Unpin") : tr("Pin"));
    updateDetails();
}

void HistoryPage::setTexts()
{
    m_card->setTitle(tr("Finished runs"));
    m_table->setAccessibleName(tr("Finished runs"));
    m_open->setText(tr("Open"));
    m_runAgain->setText(tr("Run again"));
    m_edit->setText(tr("Edit a copy"));
    m_compare->setText(tr("Compare"));
    m_label->setText(tr("Name and tags…"));
    m_export->setText(tr("Export…"));
    m_pin->setToolTip(tr("A pinned run is never removed to make room"));
    m_delete->setText(tr("Delete…"));
    m_openFile->setText(tr("Open run file…"));
    m_empty->setTexts(
        tr("No finished runs yet"),
        tr("A run stays here when it ends, with its logs and events, until 50 newer ones or 10 GB "
           "need its place; a pinned one stays for good."));
    update();
}

} // namespace ringmaster::app
