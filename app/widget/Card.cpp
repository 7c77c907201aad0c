#include "app/widget/Card.h"

#include "app/widget/ElidedLabel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QStyle>

#include <algorithm>

namespace ringmaster::app {

Card::Card(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_subtitle(new ElidedLabel(this))
    , m_header(new QHBoxLayout)
    , m_content(new QVBoxLayout)
{
    setObjectName(QStringLiteral("card"));
    setLook(m_title, "cardTitle");
    setLook(m_subtitle, "muted");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 12);
    layout->setSpacing(8);
    m_header->setSpacing(8);
    m_header->addWidget(m_title);
    m_header->addWidget(m_subtitle, 1);
    layout->addLayout(m_header);
    m_content->setSpacing(8);
    layout->addLayout(m_content, 1);
}

void Card::setTitle(const QString& title)
{
    if (m_title->text() == title)
        return;
    m_title->setText(title);
    setAccessibleName(title);
    Q_EMIT titleChanged();
}

void Card::setTitleShown(bool isShown)
{
    m_title->setVisible(isShown);
}

QString Card::title() const
{
    return m_title->text();
}

void Card::setSubtitle(const QString& subtitle)
{
    m_subtitle->setText(subtitle);
}

void Card::setSubtitleDispensable()
{
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void Card::addHeaderWidget(QWidget* widget)
{
    m_header->addWidget(widget);
}

void Card::putFirstInHeader(QWidget* widget)
{
    m_header->insertWidget(0, widget);
}

void Card::setAvailable(bool isAvailable)
{
    if (std::exchange(m_isAvailable, isAvailable) != isAvailable)
        Q_EMIT availabilityChanged();
}

Card::Height Card::heightIn(int) const
{
    return {minimumSizeHint().height(), sizeHint().height()};
}

int Card::widthInside(int width) const
{
    const QMargins margins = layout()->contentsMargins() + contentsMargins();
    return width - margins.left() - margins.right();
}

int Card::heightAround(std::initializer_list<const QWidget*> views, int width) const
{
    const QMargins margins = layout()->contentsMargins() + contentsMargins();
    int height = margins.top() + margins.bottom() + m_header->sizeHint().height();
    int gaps = 1; // between the header and what is below it
    for (int i = 0; i < m_content->count(); ++i) {
        QLayoutItem* item = m_content->itemAt(i);
        if (std::ranges::find(views, item->widget()) != views.end() || item->isEmpty())
            continue;
        height += item->hasHeightForWidth() ? item->heightForWidth(widthInside(width))
                                            : item->sizeHint().height();
        ++gaps;
    }
    return height + gaps * m_content->spacing();
}

void Card::mousePressEvent(QMouseEvent* event)
{
    m_isPressed = true;
    QFrame::mousePressEvent(event);
}

void Card::hideEvent(QHideEvent* event)
{
    m_isPressed = false;
    QFrame::hideEvent(event);
}

void Card::mouseDoubleClickEvent(QMouseEvent* event)
{
    // The first click of the two may have opened the page that this card has come up with.
    const bool isOnHead = m_isPressed && event->button() == Qt::LeftButton &&
                          event->position().y() <= m_header->geometry().bottom();
    if (isOnHead)
        Q_EMIT headDoubleClicked();
    else
        QFrame::mouseDoubleClickEvent(event);
}

void setLook(QWidget* widget, const char* look)
{
    widget->setProperty("look", QString::fromLatin1(look));
    // What had a look already keeps it otherwise.
    if (widget->testAttribute(Qt::WA_WState_Polished)) {
        widget->style()->unpolish(widget);
        widget->style()->polish(widget);
    }
}

} // namespace ringmaster::app
