#include "app/hosts/HostDetails.h"

#include "app/bridge/Words.h"
#include "app/widget/Translated.h"

#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>

#include <algorithm>

namespace ringmaster::app {

HostDetails::HostDetails(const HostListModel& hosts, QWidget* parent)
    : Card(parent), m_hosts(hosts), m_area(new QScrollArea(this)), m_lines(new QFormLayout)
{
    auto* body = new QWidget;
    body->setLayout(m_lines);
    m_lines->setContentsMargins(0, 0, 8, 0);
    m_lines->setHorizontalSpacing(18);
    m_lines->setVerticalSpacing(7);
    m_lines->setRowWrapPolicy(QFormLayout::DontWrapRows);
    m_lines->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_lines->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_area->setWidget(body);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    body->setAutoFillBackground(false);
    m_area->viewport()->setAutoFillBackground(false);
    content()->addWidget(m_area, 1);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&hosts, signal, this, &HostDetails::update);
    connect(&hosts, &QAbstractItemModel::rowsMoved, this, &HostDetails::update);
    connect(&hosts, &QAbstractItemModel::dataChanged, this, &HostDetails::update);
    translated(this, [this] { update(); });
}

void HostDetails::show(int row)
{
    if (std::exchange(m_row, row) == row)
        return;
    update();
    m_area->ensureVisible(0, 0);
}

int HostDetails::shownRow() const
{
    if (m_row >= 0 && m_row < m_hosts.rowCount())
        return m_row;
    const std::vector<HostRow>& rows = m_hosts.rows();
    const auto answered =
        std::ranges::find_if(rows, [](const HostRow& row) { return row.facts() != nullptr; });
    if (answered != rows.end())
        return static_cast<int>(answered - rows.begin());
    return rows.empty() ? -1 : 0;
}

HostDetails::Facts HostDetails::factsOf(int row) const
{
    const HostRow& known = m_hosts.at(row);
    const Host& host = known.host;
    Facts facts{{tr("Trouble"), problemText(known)},
                {QStringLiteral("ssh"), QString::fromStdString(host.sshDestination())},
                {tr("Address for other hosts"), QString::fromStdString(host.address)},
                {tr("Interface"), QString::fromStdString(host.interface)},
                {tr("Code in"), QString::fromStdString(host.code)}};
    using Column = HostListModel::Column;
    const auto add = [&](Column column) {
        facts.emplace_back(m_hosts.headerData(column, Qt::Horizontal).toString(),
                           m_hosts.index(row, column).data().toString());
    };
    for (const auto column : {Column::Slots, Column::Groups, Column::Jobs, Column::Cores,
                              Column::Load, Column::Memory, Column::Gpus})
        add(column);
    if (const MachineFacts* said = known.facts()) {
        for (size_t gpu = 0; gpu < said->gpus.size(); ++gpu)
            facts.emplace_back(QStringLiteral("GPU %1").arg(gpu),
                               tr("%1: %2 of %3 in use")
                                   .arg(QString::fromStdString(said->gpus[gpu].name),
                                        bytesText(said->gpus[gpu].usedBytes),
                                        bytesText(said->gpus[gpu].totalBytes)));
        facts.emplace_back(tr("No GPUs because"), QString::fromStdString(said->problem));
        facts.emplace_back(tr("Processor"), QString::fromStdString(said->machine));
        facts.emplace_back(QStringLiteral("Python"),
                           QStringLiteral("%1  %2").arg(QString::fromStdString(said->pythonVersion),
                                                        QString::fromStdString(said->interpreter)));
    }
    for (const auto column : {Column::Torch, Column::Nccl, Column::Agent, Column::Clock})
        add(column);
    if (known.facts() != nullptr && known.report->roundTrip.count() > 0)
        facts.emplace_back(tr("Round trip"), fineDurationText(known.report->roundTrip.count()));
    std::erase_if(facts, [](const auto& fact) { return fact.second.trimmed().isEmpty(); });
    return facts;
}

void HostDetails::update()
{
    const int row = shownRow();
    setTitle(row < 0 ? QString() : QString::fromStdString(m_hosts.at(row).host.name));
    setSubtitle(row < 0 ? QString() : word(stateOf(m_hosts.at(row))));
    Facts facts = row < 0 ? Facts() : factsOf(row);
    if (facts == m_facts)
        return;
    m_facts = std::move(facts);
    // The lines that are there stay: who has marked some text keeps it.
    while (m_lines->rowCount() > static_cast<int>(m_facts.size()))
        m_lines->removeRow(m_lines->rowCount() - 1);
    for (int line = 0; line < static_cast<int>(m_facts.size()); ++line) {
        const auto& [title, value] = m_facts[static_cast<size_t>(line)];
        if (line == m_lines->rowCount()) {
            auto* name = new QLabel(this);
            auto* told = new QLabel(this);
            setLook(name, "muted");
            told->setWordWrap(true);
            told->setTextFormat(Qt::PlainText);
            told->setTextInteractionFlags(Qt::TextSelectableByMouse);
            m_lines->addRow(name, told);
        }
        const auto labelAt = [&](QFormLayout::ItemRole role) {
            return static_cast<QLabel*>(m_lines->itemAt(line, role)->widget());
        };
        labelAt(QFormLayout::LabelRole)->setText(title);
        labelAt(QFormLayout::FieldRole)->setText(value);
    }
}

QString HostDetails::text() const
{
    QStringList lines;
    for (const auto& [title, value] : m_facts)
        lines << title + QStringLiteral(": ") + value;
    return lines.join(u'\n');
}

} // namespace ringmaster::app
