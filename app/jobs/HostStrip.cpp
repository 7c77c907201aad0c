#include "app/jobs/HostStrip.h"

#include "app/bridge/Words.h"
#include "app/model/HostText.h"
#include "app/widget/FlowLayout.h"
#include "app/widget/StateLook.h"
#include "app/widget/Translated.h"

#include <QPainter>

namespace ringmaster::app {

HostStrip::HostStrip(QWidget* parent) : QWidget(parent), m_layout(new FlowLayout(this))
{
    translated(this, [this] { update(); });
}

bool HostStrip::setHosts(const std::vector<HostSnapshot>& hosts)
{
    if (m_shown == hosts)
        return false;
    m_shown = hosts;
    update();
    return true;
}

void HostStrip::update()
{
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const HostSnapshot& host : m_shown)
        m_layout->addWidget(new HostBadge(host, this));
    setAccessibleName(tr("Hosts of this job"));
    setVisible(!m_shown.empty());
    updateGeometry();
}

HostBadge::HostBadge(const HostSnapshot& host, QWidget* parent)
    : QWidget(parent)
    , m_state(host.state)
    , m_text(QStringLiteral("%1  %2").arg(QString::fromStdString(host.host), word(host.state)))
{
    const QString note = hostNote(host);
    setToolTip(note);
    setAccessibleName(m_text);
    setAccessibleDescription(note);
}

QSize HostBadge::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 34, fontMetrics().height() + 8};
}

void HostBadge::paintEvent(QPaintEvent*)
{
    const StateLook look = lookOf(m_state, themeTokens());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(withAlpha(look.color.fill, 0.5), 1));
    painter.setBrush(withAlpha(look.color.fill, 0.10));
    painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), height() / 2.0,
                            height() / 2.0);
    paintGlyph(painter, QRectF(10, (height() - 10) / 2.0, 10, 10), look.shape, look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(rect().adjusted(25, 0, -4, 0), Qt::AlignVCenter, m_text);
}

} // namespace ringmaster::app
