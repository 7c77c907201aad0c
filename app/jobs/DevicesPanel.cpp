#include "app/jobs/DevicesPanel.h"

#include "app/jobs/DeviceSpark.h"
#include "app/model/FigureAge.h"
#include "app/widget/AccessibleRole.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Translated.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {
constexpr int RowHeight = DeviceSpark::Height;
constexpr int RowSpacing = 6;
constexpr int FocusFrame = 4;
constexpr int MostRowsShown = 3; ///< The others are scrolled to.
constexpr int TableHeight = 150;
constexpr int LowTableHeight = 96;
constexpr int NameWidth = 150;

int heightOf(int rows, int rowHeight)
{
    return rows * (rowHeight + RowSpacing) - RowSpacing + FocusFrame;
}

} // namespace

DevicesPanel::DevicesPanel(const RunModel& run, TimeSpan& span, QWidget* parent)
    : TwinCard(parent)
    , m_run(run)
    , m_span(span)
    , m_rows(run.devices())
    , m_moments(span)
    , m_area(new QScrollArea(this))
    , m_grid(new QGridLayout)
{
    auto* rows = new QWidget(m_area);
    rows->setLayout(m_grid);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(RowSpacing);
    m_grid->setColumnMinimumWidth(0, NameWidth);
    m_area->setWidget(rows);
    rows->setAutoFillBackground(false); // the scroll area has just set it
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setMinimumHeight(RowHeight + FocusFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::StrongFocus);
    setAccessibleRole(m_area, QAccessible::Chart);
    setLook(m_area, "framed");
    setView(m_area);
    m_area->installEventFilter(this);
    connect(this, &TwinCard::tableShown, this, [this](bool shown) {
        // Thousands of rows that nobody sees needn't be followed.
        table()->setModel(shown ? &m_moments : nullptr);
        update();
        Q_EMIT heightChanged();
    });
    m_pause.setSingleShot(true);
    m_pause.setInterval(1s);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        if (m_isBehind)
            update();
    });
    connect(&run, &RunModel::devicesChanged, this, [this] {
        m_isBehind = true;
        if (!m_pause.isActive())
            update();
    });
    connect(&span, &TimeSpan::changed, this, [this] {
        if (showsTable())
            m_moments.show(m_rows.all());
    });
    translated(this, [this] { setTexts(); });
}

void DevicesPanel::update()
{
    setAvailable(!m_run.devices().machines().empty());
    if (!isVisible())
        return;
    m_isBehind = false;
    m_pause.start();
    const size_t before = m_rows.all().size();
    m_rows.update(m_run.snapshot().hosts);
    const QString absence = gpuAbsenceText(m_run.devices());
    m_said = absence.isEmpty() ? tr("drag to select a span of time") : absence;
    updateAge();
    updateRows();
    if (showsTable())
        m_moments.show(m_rows.all());
    if (m_rows.all().size() != before)
        Q_EMIT heightChanged();
}

void DevicesPanel::updateAge()
{
    setSubtitle(withFigureAge(m_said, m_run, m_run.lastDevices()));
}

void DevicesPanel::showEvent(QShowEvent* event)
{
    TwinCard::showEvent(event);
    update();
}

bool DevicesPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        fitRows();
    return TwinCard::eventFilter(watched, event);
}

void DevicesPanel::fitRows()
{
    const int rows = std::min(static_cast<int>(m_rows.all().size()), MostRowsShown);
    const bool areLow = m_area->height() < heightOf(rows, RowHeight);
    if (std::exchange(m_areRowsLow, areLow) == areLow)
        return;
    for (RowWidgets& widgets : m_widgets)
        setLow(widgets);
}

void DevicesPanel::setLow(RowWidgets& widgets) const
{
    widgets.detail->setHidden(m_areRowsLow);
    for (DeviceSpark* spark : widgets.sparks)
        spark->setLow(m_areRowsLow);
}

DevicesPanel::RowWidgets DevicesPanel::makeRow(int row)
{
    RowWidgets widgets;
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    widgets.name = new ElidedLabel(m_area->widget());
    widgets.detail = new ElidedLabel(m_area->widget());
    setLook(widgets.detail, "muted");
    words->addWidget(widgets.name);
    words->addWidget(widgets.detail);
    m_grid->addLayout(words, row, 0, Qt::AlignVCenter);
    return widgets;
}

void DevicesPanel::fill(RowWidgets& widgets, int row, const DeviceRow& device)
{
    // Each machine begins a group, where there are several.
    const bool begins = device.isMachine && m_run.devices().machines().size() > 1;
    QFont font = widgets.name->font();
    if (font.weight() != (begins ? QFont::DemiBold : QFont::Normal)) {
        font.setWeight(begins ? QFont::DemiBold : QFont::Normal);
        widgets.name->setFont(font);
    }
    widgets.name->setText(device.name);
    widgets.detail->setText(device.detail);
    widgets.name->setToolTip(device.detail);
    while (widgets.sparks.size() < device.tracks.size()) {
        auto* spark = new DeviceSpark(m_span, m_area, m_area->widget());
        const auto column = static_cast<int>(widgets.sparks.size()) + 1;
        m_grid->addWidget(spark, row, column);
        m_grid->setColumnStretch(column, 1);
        widgets.sparks.push_back(spark);
    }
    setLow(widgets);
    for (size_t i = 0; i < widgets.sparks.size(); ++i) {
        widgets.sparks[i]->setVisible(i < device.tracks.size());
        if (i < device.tracks.size())
            widgets.sparks[i]->show(device.name, device.tracks[i]);
    }
}

void DevicesPanel::updateRows()
{
    const std::vector<const DeviceRow*>& rows = m_rows.all();
    while (m_widgets.size() < rows.size())
        m_widgets.push_back(makeRow(static_cast<int>(m_widgets.size())));
    for (size_t i = 0; i < rows.size(); ++i)
        fill(m_widgets[i], static_cast<int>(i), *rows[i]);
    fitRows();
}

Card::Height DevicesPanel::heightIn(int width) const
{
    const int around = heightAround({m_area, table()}, width);
    if (showsTable())
        return {around + LowTableHeight, around + TableHeight};
    const bool areSeveral = m_run.devices().machines().size() > 1;
    const int rows = std::clamp(static_cast<int>(m_rows.all().size()), 1, MostRowsShown);
    const int least = std::max(RowHeight + FocusFrame, heightOf(std::min(rows, areSeveral ? 3 : 2),
                                                                DeviceSpark::LowHeight));
    return {around + least, around + heightOf(rows, RowHeight)};
}

void DevicesPanel::setTexts()
{
    setTitle(tr("Devices"));
    setTwinTexts(tr("Devices over time; the table has the same content"),
                 tr("Devices over time as a table"), tr("Show the lines as a table"));
    update();
}

} // namespace ringmaster::app
