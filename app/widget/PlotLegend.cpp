#include "app/widget/PlotLegend.h"

#include "app/widget/FlowLayout.h"
#include "app/widget/SizedFont.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int EntryTextSize = 12;
constexpr int SampleWidth = 24;
constexpr int SampleGap = 6;
constexpr int EntryMargin = 4;
constexpr double SampleShapeSize = 8;
constexpr double HiddenShare = 0.6;

} // namespace

PlotLegendEntry::PlotLegendEntry(QWidget* parent) : QAbstractButton(parent)
{
    setCheckable(true);
    setChecked(true);
    setCursor(Qt::PointingHandCursor);
}

void PlotLegendEntry::setSeries(const PlotSeries& series, bool isFaded)
{
    const bool isSame = m_series.name == series.name && m_series.look == series.look &&
                        m_series.isLimit == series.isLimit && m_isFaded == isFaded;
    if (isSame)
        return;
    m_series = {.name = series.name, .look = series.look, .isLimit = series.isLimit};
    m_isFaded = isFaded;
    if (text() != series.name) {
        setText(series.name);
        updateGeometry();
    }
    update();
}

int PlotLegendEntry::widthOf(const QString& name, const QFont& font)
{
    return QFontMetrics(sized(font, EntryTextSize)).horizontalAdvance(name) + SampleWidth +
           SampleGap + 2 * EntryMargin;
}

QSize PlotLegendEntry::sizeHint() const
{
    return {widthOf(text(), font()), Height};
}

void PlotLegendEntry::paint(QPainter& painter, const QRectF& rect, const PlotSeries& series,
                            bool isShown, bool isFaded)
{
    const Tokens& tokens = themeTokens();
    QColor color = seriesColor(series.look, tokens);
    if (isFaded || !isShown)
        color = mixed(color, tokens.card, HiddenShare);
    QPen pen(color, 2);
    pen.setCapStyle(Qt::FlatCap);
    const std::vector<double> dashes =
        series.isLimit ? std::vector<double>{7, 4} : seriesDashes(series.look);
    if (!dashes.empty()) {
        QList<double> pattern;
        for (const double dash : dashes)
            pattern << dash / pen.widthF();
        pen.setDashPattern(pattern);
    }
    const double middle = rect.center().y();
    const QPointF from(rect.left() + EntryMargin, middle);
    painter.setPen(pen);
    painter.drawLine(from, from + QPointF(SampleWidth, 0));
    if (!series.isLimit)
        paintPoint(painter, series.look, color, from + QPointF(SampleWidth / 2.0, 0),
                   SampleShapeSize);
    QFont font = sized(painter.font(), EntryTextSize);
    font.setStrikeOut(!isShown);
    painter.setFont(font);
    painter.setPen(isShown ? tokens.text : tokens.mutedText);
    painter.drawText(rect.adjusted(EntryMargin + SampleWidth + SampleGap, 0, EntryMargin, 0),
                     Qt::AlignVCenter | Qt::TextSingleLine, series.name);
}

void PlotLegendEntry::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = themeTokens();
    const QRectF frame = QRectF(rect()).adjusted(.5, .5, -.5, -.5);
    if (underMouse() || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(tokens.accent) : QPen(Qt::NoPen));
        painter.setBrush(underMouse() ? QBrush(tokens.hover) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(frame, 4, 4);
        painter.setBrush(Qt::NoBrush);
    }
    paint(painter, rect(), m_series, isChecked(), m_isFaded);
}

void PlotLegendEntry::keyPressEvent(QKeyEvent* event)
{
    auto* legend = static_cast<PlotLegend*>(parentWidget());
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up: return legend->focusNeighbour(this, -1);
    case Qt::Key_Right:
    case Qt::Key_Down: return legend->focusNeighbour(this, 1);
    default: return QAbstractButton::keyPressEvent(event);
    }
}

void PlotLegendEntry::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void PlotLegendEntry::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

PlotLegend::PlotLegend(QWidget* parent) : QWidget(parent)
{
    auto* flow = new FlowLayout(this, 8);
    Q_UNUSED(flow)
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PlotLegend::show(const std::vector<PlotSeries>& series, const std::vector<bool>& isShown,
                      int selected)
{
    while (m_entries.size() > series.size()) {
        delete m_entries.back();
        m_entries.pop_back();
    }
    while (m_entries.size() < series.size()) {
        auto* entry = new PlotLegendEntry(this);
        entry->setFocusPolicy(m_entries.empty() ? Qt::StrongFocus : Qt::ClickFocus);
        const auto index = static_cast<int>(m_entries.size());
        connect(entry, &QAbstractButton::clicked, this, [this, index] { Q_EMIT toggled(index); });
        layout()->addWidget(entry);
        entry->setVisible(true);
        m_entries.push_back(entry);
    }
    for (size_t i = 0; i < series.size(); ++i) {
        m_entries[i]->setSeries(series[i], selected >= 0 && static_cast<size_t>(selected) != i);
        m_entries[i]->setChecked(isShown[i]);
    }
    setVisible(!series.empty());
}

void PlotLegend::focusNeighbour(const PlotLegendEntry* entry, int by)
{
    const auto at = std::ranges::find(m_entries, entry) - m_entries.begin();
    const auto next = std::clamp<std::ptrdiff_t>(at + by, 0, std::ssize(m_entries) - 1);
    for (PlotLegendEntry* each : m_entries)
        each->setFocusPolicy(Qt::ClickFocus);
    m_entries[static_cast<size_t>(next)]->setFocusPolicy(Qt::StrongFocus);
    m_entries[static_cast<size_t>(next)]->setFocus(Qt::TabFocusReason);
}

} // namespace ringmaster::app
