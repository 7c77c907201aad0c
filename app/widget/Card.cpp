#include "app/widget/Card.h"

#include "app/widget/ElidedLabel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

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
    m_title->setText(title);
    setAccessibleName(title);
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

void setLook(QWidget* widget, const char* look)
{
    widget->setProperty("look", QString::fromLatin1(look));
}

} // namespace ringmaster::app
