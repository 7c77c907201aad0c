#include "app/hosts/HostsPage.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"
#include "app/hosts/HostCards.h"
#include "app/hosts/HostCharts.h"
#include "app/hosts/HostDetails.h"
#include "app/hosts/HostDialog.h"
#include "app/hosts/HostsCard.h"
#include "app/hosts/ImportDialog.h"
#include "app/hosts/PreflightPanel.h"
#include "app/widget/Banner.h"
#include "app/widget/EmptyState.h"
#include "app/widget/Translated.h"

#include <QDateTime>
#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace ringmaster::app {

using namespace std::chrono_literals;

namespace {

/// Between two looks at the hosts that have answered.
constexpr auto LookInterval = 15s;
} // namespace

PageDescription HostsPage::description()
{
    return {.key = QStringLiteral("hosts"),
            .title = [] { return tr("Hosts"); },
            .make = makePage<HostsPage>};
}

HostsPage::HostsPage(EngineBridge& bridge, QWidget* parent)
    : Page(parent)
    , m_bridge(bridge)
    , m_title(new QLabel(this))
    , m_import(new QPushButton(this))
    , m_add(new QPushButton(this))
    , m_checkAll(new QPushButton(this))
    , m_banner(new Banner(this))
    , m_card(new HostsCard(m_hosts))
    , m_preflight(new PreflightPanel)
    , m_details(new HostDetails(m_hosts))
    , m_cards(new HostCards({.hosts = m_card,
                             .preflight = m_preflight,
                             .charts = new HostCharts(m_hosts),
                             .details = m_details},
                            this))
    , m_empty(new EmptyState(this))
    , m_emptyImport(m_empty->addButton(true))
    , m_emptyAdd(m_empty->addButton(false))
{
    new QVBoxLayout(this);
    buildHead();
    connectAll();
    m_tick.setInterval(LookInterval);
    translated(this, [this] { setTexts(); });
}

HostsPage::~HostsPage() = default;

void HostsPage::buildHead()
{
    setLook(m_title, "title");
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_title);
    head->addStretch(1);
    for (QPushButton* button : {m_import, m_add, m_checkAll})
        head->addWidget(button);
    setLook(m_checkAll, "primary");
    m_checkAll->setObjectName(QStringLiteral("checkAll"));
    auto* page = static_cast<QVBoxLayout*>(layout());
    page->setContentsMargins(22, 16, 22, 18);
    page->setSpacing(12);
    page->addLayout(head);
    page->addWidget(m_banner);
    page->addWidget(m_cards, 1);
    page->addWidget(m_empty, 1);
    m_banner->hide();
}

void HostsPage::connectAll()
{
    for (QPushButton* button : {m_import, m_emptyImport})
        connect(button, &QPushButton::clicked, this, &HostsPage::importHosts);
    for (QPushButton* button : {m_add, m_emptyAdd})
        connect(button, &QPushButton::clicked, this, &HostsPage::addHost);
    connect(m_checkAll, &QPushButton::clicked, this, &HostsPage::checkAll);
    connect(m_card, &HostsCard::checkRequested, this, &HostsPage::checkSelected);
    connect(m_card, &HostsCard::editRequested, this, &HostsPage::editHost);
    connect(m_card, &HostsCard::removeRequested, this, &HostsPage::removeHosts);
    connect(m_card, &HostsCard::selectionChanged, this, &HostsPage::update);
    connect(m_card, &HostsCard::watchRequested, this, &HostsPage::watchSelected);
    connect(m_preflight, &PreflightPanel::requested, this, &HostsPage::runPreflight);
    connect(&m_hosts, &QAbstractItemModel::rowsInserted, this, &HostsPage::update);
    connect(&m_hosts, &QAbstractItemModel::rowsRemoved, this, &HostsPage::update);
    connect(&m_hosts, &QAbstractItemModel::rowsMoved, this, &HostsPage::update);
    connect(&m_hosts, &QAbstractItemModel::dataChanged, this, &HostsPage::update);
    connect(&m_bridge, &EngineBridge::hostsChanged, this, &HostsPage::reload);
    connect(&m_tick, &QTimer::timeout, this, &HostsPage::lookAgain);
}

void HostsPage::setMachines(MachineBridge& machines)
{
    m_machines = &machines;
    m_card->setCanWatch();
    const auto show = [this] { m_hosts.setWatched(m_machines->machines()); };
    connect(m_machines, &MachineBridge::changed, this, show);
    show();
}

void HostsPage::watchSelected(bool isWatched)
{
    if (m_machines == nullptr)
        return;
    for (const int row : m_card->selectedRows())
        m_machines->setWatched(QString::fromStdString(m_hosts.at(row).host.name), isWatched);
}

void HostsPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    forgetRefusal();
    // The book may have been changed in a terminal.
    reload();
    m_tick.start();
}

void HostsPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    m_tick.stop();
}

void HostsPage::reload()
{
    m_bridge.ask(&HostRegistry::list).then(this, [this](const Result<std::vector<Host>>& hosts) {
        listed(hosts);
    });
}

void HostsPage::listed(const Result<std::vector<Host>>& hosts)
{
    m_isListed = true;
    m_unreadable = hosts ? std::nullopt : std::optional(hosts.error());
    if (hosts)
        m_hosts.setHosts(*hosts);
    updateBanner();
    update();
}

void HostsPage::complain(const Error& error)
{
    m_refusal = error;
    updateBanner();
}

void HostsPage::forgetRefusal()
{
    m_refusal.reset();
    updateBanner();
}

/// A refusal stays until something else is asked for, however often the list is read meanwhile.
void HostsPage::updateBanner()
{
    const std::optional<Error>& error = m_refusal ? m_refusal : m_unreadable;
    if (!error)
        return m_banner->clear();
    m_banner->show(Notice::Severity::Error, tr("The hosts can't be read or changed."),
                   text(static_cast<const Message&>(*error)), detailOf(*error));
}

void HostsPage::importHosts()
{
    auto* dialog = new ImportDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { putAll(dialog->hosts()); });
    m_bridge.ask(&HostRegistry::listNames)
        .then(dialog,
              [dialog](const Result<std::vector<std::string>>& names) { dialog->setNames(names); });
    dialog->open();
}

void HostsPage::addHost()
{
    openDialog({});
}

void HostsPage::editHost()
{
    const std::vector<int> rows = m_card->selectedRows();
    if (rows.size() == 1)
        openDialog(m_hosts.at(rows.front()).host);
}

/// What the book refuses is said in the dialog, where it can be mended.
void HostsPage::openDialog(const Host& host)
{
    std::vector<std::string> names;
    for (const HostRow& row : m_hosts.rows())
        names.push_back(row.host.name);
    auto* dialog = new HostDialog(host, names, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &HostDialog::saveRequested, this, [this, dialog] {
        forgetRefusal();
        m_bridge.putHost(dialog->host(), dialog, [dialog](const Result<void>& done) {
            if (done)
                return dialog->accept();
            dialog->complain(text(static_cast<const Message&>(done.error())));
        });
    });
    dialog->open();
}

void HostsPage::putAll(const std::vector<Host>& hosts)
{
    forgetRefusal();
    for (const Host& host : hosts) {
        m_bridge.putHost(host, this, [this](const Result<void>& done) {
            if (!done)
                complain(done.error());
        });
    }
}

void HostsPage::removeHosts()
{
    // A second click comes before the first one is answered.
    if (m_removing > 0)
        return;
    forgetRefusal();
    m_removed.clear();
    std::vector<Host> wanted;
    for (const int row : m_card->selectedRows())
        wanted.push_back(m_hosts.at(row).host);
    m_removing = wanted.size();
    for (const Host& host : wanted) {
        m_bridge.removeHost(host.name, this, [this, host](const Result<void>& done) {
            if (done)
                m_removed.push_back(host);
            else
                complain(done.error());
            if (--m_removing == 0)
                tellRemoved();
        });
    }
}

/// Once all are answered: the book may refuse some.
void HostsPage::tellRemoved()
{
    // It isn't the book that is shown, perhaps.
    if (m_refusal)
        reload();
    if (m_removed.empty())
        return;
    for (const Host& host : m_removed)
        if (m_machines != nullptr)
            m_machines->setWatched(QString::fromStdString(host.name), false);
    Q_EMIT toastRequested(tr("%n hosts removed", nullptr, static_cast<int>(m_removed.size())),
                          [this, removed = m_removed] { putAll(removed); });
}

std::vector<std::string> HostsPage::chosen() const
{
    std::vector<std::string> names;
    for (const int row : m_card->selectedRows())
        names.push_back(m_hosts.at(row).host.name);
    if (names.empty())
        for (const HostRow& row : m_hosts.rows())
            names.push_back(row.host.name);
    return names;
}

void HostsPage::checkSelected()
{
    forgetRefusal();
    check(chosen());
}

void HostsPage::checkAll()
{
    forgetRefusal();
    std::vector<std::string> names;
    for (const HostRow& row : m_hosts.rows())
        names.push_back(row.host.name);
    check(names);
}

/// Only those that have answered: who can't be reached isn't asked without being told to.
void HostsPage::lookAgain()
{
    std::vector<std::string> names;
    for (const HostRow& row : m_hosts.rows())
        if (row.facts() != nullptr)
            names.push_back(row.host.name);
    check(names);
}

void HostsPage::check(const std::vector<std::string>& names)
{
    if (m_isChecking || names.empty())
        return;
    m_isChecking = true;
    m_hosts.setAsked(names);
    m_bridge.ask(&HostRegistry::check, names)
        .then(this, [this](const Result<std::vector<HostReport>>& reports) {
            m_isChecking = false;
            if (reports)
                m_hosts.take(*reports, QDateTime::currentMSecsSinceEpoch());
            else
                complain(reports.error());
            m_hosts.stopAsking();
            update();
        });
    update();
}

void HostsPage::runPreflight()
{
    const std::vector<std::string> names = chosen();
    m_preflight->setRunning(names);
    HostRegistry::PreflightRequest request{.hosts = names,
                                           .folder = QDir::currentPath().toStdString()};
    m_bridge.ask(&HostRegistry::preflight, request)
        .then(this, [this, names](const Result<std::vector<PreflightFinding>>& findings) {
            if (findings)
                m_preflight->setFindings(names, *findings);
            else
                m_preflight->setFailed(text(findings.error()));
        });
}

QVariantMap HostsPage::saveState() const
{
    QVariantMap state = m_cards->saveState();
    state.insert(QStringLiteral("table"), m_card->showsTable());
    return state;
}

void HostsPage::restoreState(const QVariantMap& state)
{
    m_card->showTable(state.value(QStringLiteral("table")).toBool());
    m_cards->restoreState(state);
}

void HostsPage::update()
{
    const bool isEmpty = m_hosts.rowCount() == 0;
    m_cards->setVisible(!isEmpty);
    m_empty->setVisible(isEmpty && m_isListed);
    for (QPushButton* button : {m_import, m_add, m_checkAll})
        button->setVisible(!isEmpty);
    m_checkAll->setEnabled(!m_isChecking);
    m_card->refresh(m_isChecking);
    const std::vector<int> selected = m_card->selectedRows();
    m_details->show(selected.empty() ? -1 : selected.front());
    m_cards->arrange();
}

void HostsPage::setTexts()
{
    m_title->setText(description().title());
    m_import->setText(tr("Import from ~/.ssh/config…"));
    m_add->setText(tr("Add host…"));
    m_checkAll->setText(tr("Check all"));
    m_checkAll->setToolTip(tr("Asks every host what it has; the first time, Ringmaster's agent is "
                              "copied there"));
    m_emptyImport->setText(tr("Import from ~/.ssh/config…"));
    m_emptyAdd->setText(tr("Add host…"));
    m_empty->setTexts(
        tr("No hosts yet"),
        tr("Jobs can run on other machines that you reach with ssh, without a password. Nothing "
           "needs to be installed there but Python and torch: Ringmaster copies its agent when it "
           "is needed."));
    update();
}

} // namespace ringmaster::app
