#include "app/widget/BannerPlace.h"

#include "app/widget/Banner.h"
#include "app/widget/Card.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>

namespace ringmaster::app {

namespace {

constexpr int NarrowBelow = 900;

} // namespace

BannerPlace::BannerPlace(QWidget* parent)
    : QWidget(parent), m_banner(new Banner(this)), m_quiet(new QLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_banner);
    layout->addWidget(m_quiet, 1);
    setLook(m_quiet, "muted");
    m_quiet->setIndent(25);
    m_quiet->setWordWrap(true);
    m_banner->installEventFilter(this);
}

void BannerPlace::setUsual(const QString& headline, const QString& text)
{
    m_usualHeadline = headline;
    m_usualText = text;
    keepPlace();
}

void BannerPlace::setQuietText(Health health, const QString& text)
{
    m_health = health;
    m_quiet->setText(text);
    update();
}

bool BannerPlace::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_banner &&
        (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent))
        m_quiet->setVisible(m_banner->isHidden());
    return QWidget::eventFilter(watched, event);
}

void BannerPlace::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    keepPlace();
}

void BannerPlace::keepPlace()
{
    m_banner->setCompact(width() < NarrowBelow);
    setMinimumHeight(m_banner->heightFor(width(), m_usualHeadline, m_usualText));
}

void BannerPlace::paintEvent(QPaintEvent*)
{
    if (m_quiet->isHidden() || m_quiet->text().isEmpty())
        return;
    QPainter painter(this);
    const StateLook look = lookOf(m_health, themeTokens());
    const QRectF place(4, (height() - GlyphBesideText) / 2.0, GlyphBesideText, GlyphBesideText);
    paintGlyph(painter, place, look.shape, withAlpha(look.color.fill, 0.7));
}

} // namespace ringmaster::app
