#include "app/editor/HostsPlace.h"

#include "app/widget/Card.h"
#include "app/widget/FieldText.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ringmaster::app {

namespace {

enum Column { Name, Workers, About, ColumnCount };

constexpr const char* Here = "localhost";

std::string nameOf(const std::string& word)
{
    return word.substr(0, word.find(':'));
}

QString workersOf(const std::string& word)
{
    const size_t colon = word.find(':');
    return colon == std::string::npos ? QString() : QString::fromStdString(word.substr(colon + 1));
}

} // namespace

HostsPlace::HostsPlace(QWidget* parent)
    : RunPlace(parent)
    , m_words(new QLineEdit(this))
    , m_table(new QTableWidget(0, ColumnCount, this))
    , m_preflight(new QPushButton(this))
    , m_hint(new QLabel(this))
{
    dressTable(*m_table);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                             QAbstractItemView::AnyKeyPressed);
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_table->setColumnWidth(Name, 118);
    m_table->setColumnWidth(Workers, 72);
    m_table->setFixedHeight(142);
    setLook(m_hint, "muted");
    m_hint->setWordWrap(true);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_words, 1);
    line->addWidget(m_preflight);
    auto* fields = new QVBoxLayout;
    fields->setSpacing(6);
    fields->addLayout(line);
    fields->addWidget(m_table);
    fields->addWidget(m_hint);
    m_label = addRow(fields, m_words);
    m_label->setAlignment(Qt::AlignRight | Qt::AlignTop);
    connect(m_words, &QLineEdit::textEdited, this, [this] {
        fillTable();
        Q_EMIT edited();
    });
    connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        if (!m_isFilling)
            chosenInTable(*item);
    });
    connect(m_preflight, &QPushButton::clicked, this, &RunPlace::preflightRequested);
    setFields({{"hosts", m_words}});
    translated(this, [this] { setTexts(); });
}

QString HostsPlace::title() const
{
    return tr("Hosts over ssh");
}

bool HostsPlace::holds(const JobSpec& spec) const
{
    return spec.runOn == RunOn::Hosts && !spec.hosts.empty();
}

void HostsPlace::load(const JobSpec& spec)
{
    // What was typed isn't replaced by the same, spaced otherwise.
    if (!spec.hosts.empty() && spec.hosts != words())
        setWords(spec.hosts);
}

void HostsPlace::store(JobSpec& spec) const
{
    spec.runOn = RunOn::Hosts;
    spec.hosts = words();
}

void HostsPlace::clear(JobSpec& spec) const
{
    spec.hosts.clear();
}

void HostsPlace::setHosts(const std::vector<Host>& hosts)
{
    m_hosts = hosts;
    fillTable();
}

std::vector<std::string> HostsPlace::words() const
{
    return listIn(m_words->text());
}

void HostsPlace::setWords(const std::vector<std::string>& words)
{
    m_words->setText(listText(words));
    fillTable();
}

/// This machine, the groups and the hosts of the book; what is chosen has a tick and its workers.
void HostsPlace::fillTable()
{
    m_isFilling = true;
    const std::vector<std::string> chosen = words();
    std::set<std::string> groups;
    for (const Host& host : m_hosts)
        groups.insert(host.groups.begin(), host.groups.end());
    std::vector<std::pair<QString, QString>> rows{{QLatin1String(Here), tr("this machine")}};
    for (const std::string& group : groups)
        rows.emplace_back(u'@' + QString::fromStdString(group), tr("all of this group"));
    for (const Host& host : m_hosts) {
        const QString name = QString::fromStdString(host.name);
        rows.emplace_back(name, host.slots > 0 ? tr("%n slots", nullptr, host.slots) : QString());
    }
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto& [name, about] = rows[static_cast<size_t>(row)];
        const auto word = std::ranges::find(chosen, name.toStdString(), nameOf);
        auto* box = new QTableWidgetItem(name);
        box->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        box->setCheckState(word != chosen.end() ? Qt::Checked : Qt::Unchecked);
        auto* workers = new QTableWidgetItem(word != chosen.end() ? workersOf(*word) : QString());
        if (name.startsWith(u'@'))
            workers->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        auto* note = new QTableWidgetItem(about);
        note->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        m_table->setItem(row, Name, box);
        m_table->setItem(row, Workers, workers);
        m_table->setItem(row, About, note);
    }
    m_isFilling = false;
}

void HostsPlace::chosenInTable(const QTableWidgetItem& item)
{
    const int row = item.row();
    std::vector<std::string> chosen = words();
    const std::string name = m_table->item(row, Name)->text().toStdString();
    const QString workers = m_table->item(row, Workers)->text().trimmed();
    const bool isNumber = workers.toInt() > 0;
    const std::string word = isNumber ? name + ":" + workers.toStdString() : name;
    const auto place = std::ranges::find(chosen, name, nameOf);
    // Who gives a host workers wants it.
    const bool isChosen = m_table->item(row, Name)->checkState() == Qt::Checked ||
                          (item.column() == Workers && isNumber);
    if (isChosen && place != chosen.end())
        *place = word;
    else if (isChosen)
        chosen.push_back(word);
    else if (place != chosen.end())
        chosen.erase(place);
    setWords(chosen);
    Q_EMIT edited();
}

void HostsPlace::setTexts()
{
    label(m_label, m_words, tr("Hosts"));
    m_words->setPlaceholderText(tr("gpu1, gpu2:4, @lab"));
    m_table->setAccessibleName(tr("Hosts to choose from"));
    m_table->setHorizontalHeaderLabels({tr("Host"), tr("Workers"), QString()});
    m_preflight->setText(tr("Preflight"));
    m_preflight->setToolTip(tr("Asks every host for what this job needs, and every pair whether "
                               "each reaches the other"));
    m_hint->setText(tr("In the order of the ranks. The program is at the same path on each, unless "
                       "the host says otherwise. This computer leads the job, so it has to stay on "
                       "and connected; a job that runs on one machine by itself lives on without "
                       "it."));
    fillTable();
}

} // namespace ringmaster::app
