#include "app/history/HistoryPage.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/history/CompareDialog.h"
#include "app/history/JobComparison.h"
#include "app/widget/Card.h"
#include "app/widget/EmptyState.h"
#include "app/widget/StateDelegate.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

/// As long as the message that offers to take a deletion back stays.
constexpr auto UndoTime = 10s;

constexpr RunState EndStates[] = {RunState::Succeeded, RunState::Failed, RunState::Stopped,
                                  RunState::Lost};

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
    , m_title(new QLabel(this))
    , m_search(new QLineEdit(this))
    , m_state(new QComboBox(this))
    , m_card(new Card(this))
    , m_table(new QTableView(this))
    , m_empty(new EmptyState(this))
    , m_open(new QPushButton(this))
    , m_runAgain(new QPushButton(this))
    , m_edit(new QPushButton(this))
    , m_compare(new QPushButton(this))
    , m_pin(new QPushButton(this))
    , m_delete(new QPushButton(this))
    , m_openFile(m_empty->addButton(false))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(22, 16, 22, 18);
    layout->setSpacing(12);
    buildHead();
    buildTable();
    layout->addWidget(m_card, 1);
    layout->addWidget(m_empty, 1);
    connectButtons();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_filter, signal, this, &HistoryPage::update);
    translated(this, [this] { setTexts(); });
}

HistoryPage::~HistoryPage() = default;

QString HistoryPage::title() const
{
    return tr("History");
}

void HistoryPage::buildHead()
{
    setLook(m_title, "title");
    m_search->setMinimumWidth(220);
    m_search->setClearButtonEnabled(true);
    m_state->addItem(QString());
    for (const RunState state : EndStates)
        m_state->addItem(QString(), static_cast<int>(state));
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_search);
    head->addWidget(m_state);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);
    connect(m_search, &QLineEdit::textChanged, &m_filter, &HistoryFilter::setText);
    connect(m_state, &QComboBox::currentIndexChanged, this, [this](int row) {
        m_filter.setState(
            row <= 0 ? std::nullopt
                     : std::optional(static_cast<RunState>(m_state->itemData(row).toInt())));
    });
}

void HistoryPage::buildTable()
{
    m_filter.setSourceModel(&m_model);
    m_table->setModel(&m_filter);
    dressTable(*m_table, 34);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HistoryModel::Started, Qt::DescendingOrder);
    setColumnWidths(*m_table, {260, 130, 170, 90, 70, 90, 90});
    m_table->setItemDelegateForColumn(
        HistoryModel::State,
        new StateDelegate(StateDelegate::Kind::Health, HistoryModel::HealthRole, m_table));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {m_open, m_runAgain, m_edit, m_compare, m_pin})
        buttons->addWidget(button);
    buttons->addStretch(1);
    buttons->addWidget(m_delete);
    m_card->content()->addWidget(m_table, 1);
    m_card->content()->addLayout(buttons);
}

void HistoryPage::connectButtons()
{
    connect(m_open, &QPushButton::clicked, this, &HistoryPage::openSelected);
    connect(m_runAgain, &QPushButton::clicked, this, &HistoryPage::runAgain);
    connect(m_edit, &QPushButton::clicked, this, &HistoryPage::edit);
    connect(m_compare, &QPushButton::clicked, this, &HistoryPage::compare);
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
    for (QPushButton* button : {m_open, m_runAgain, m_edit, m_compare, m_pin, m_delete}) {
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
        m_jobs.fetch({runs.front().id}, [this](const std::vector<RunStarted>& jobs) {
            Q_EMIT runAgainRequested(QString::fromStdString(jobs.front().jobFile),
                                     QString::fromStdString(jobs.front().workingFolder));
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

void HistoryPage::compare()
{
    const auto runs = selected();
    if (runs.size() != 2)
        return;
    const auto name = [](const RunSummary& run) {
        return QStringLiteral("%1, %2").arg(QString::fromStdString(run.name),
                                            dateTimeText(run.startedAt));
    };
    m_jobs.fetch({runs[0].id, runs[1].id}, [this, left = name(runs[0]), right = name(runs[1])](
                                               const std::vector<RunStarted>& jobs) {
        auto* dialog =
            new CompareDialog(left, right, compareJobs(jobs[0].jobFile, jobs[1].jobFile), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
}

void HistoryPage::togglePin()
{
    for (const RunSummary& run : selected()) {
        m_bridge.setPinned(run.id, !run.isPinned, this, [this](const Result<void>& done) {
            if (!done)
                Q_EMIT toastRequested(text(done.error()), {});
        });
    }
}

void HistoryPage::deleteSelected()
{
    const auto runs = selected();
    if (runs.empty())
        return;
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

void HistoryPage::focusFilter()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
}

QVariantMap HistoryPage::saveState() const
{
    return {{QStringLiteral("columns"), m_table->horizontalHeader()->saveState()}};
}

void HistoryPage::restoreState(const QVariantMap& state)
{
    m_table->horizontalHeader()->restoreState(state.value(QStringLiteral("columns")).toByteArray());
}

void HistoryPage::update()
{
    const bool isEmpty = m_model.rowCount() == 0;
    m_card->setVisible(!isEmpty);
    m_search->setVisible(!isEmpty);
    m_state->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty);
    m_card->setSubtitle(tr("%n runs, %1", nullptr, m_filter.rowCount())
                            .arg(bytesText(static_cast<std::int64_t>(m_model.totalBytes()))));
    const auto runs = selected();
    const bool one = runs.size() == 1;
    for (QPushButton* button : {m_open, m_runAgain, m_edit})
        button->setEnabled(one);
    m_compare->setEnabled(runs.size() == 2);
    for (QPushButton* button : {m_pin, m_delete})
        button->setEnabled(!runs.empty());
    m_pin->setText(one && runs.front().isPinned ? tr("Unpin") : tr("Pin"));
}

void HistoryPage::setTexts()
{
    m_title->setText(title());
    m_card->setTitle(tr("Finished runs"));
    m_search->setPlaceholderText(tr("Filter by name"));
    m_search->setAccessibleName(tr("Filter finished runs by name"));
    m_state->setAccessibleName(tr("Filter finished runs by how they ended"));
    m_state->setItemText(0, tr("however they ended"));
    for (int row = 1; row < m_state->count(); ++row)
        m_state->setItemText(row, word(static_cast<RunState>(m_state->itemData(row).toInt())));
    m_table->setAccessibleName(tr("Finished runs"));
    m_open->setText(tr("Open"));
    m_runAgain->setText(tr("Run again"));
    m_edit->setText(tr("Edit a copy"));
    m_compare->setText(tr("Compare settings"));
    m_compare->setToolTip(tr("Select two runs to see what they had been asked to do differently"));
    m_pin->setToolTip(tr("A pinned run is never removed to make room"));
    m_delete->setText(tr("Delete"));
    m_openFile->setText(tr("Open run file…"));
    m_empty->setTexts(
        tr("No finished runs yet"),
        tr("A run stays here when it ends, with its logs and events, until 50 newer ones or 10 GB "
           "need its place; a pinned one stays for good."));
    update();
}

} // namespace ringmaster::app
