#include "app/widget/EmptyState.h"

#include "app/widget/Card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ringmaster::app {

EmptyState::EmptyState(QWidget* parent, int textWidth)
    : QWidget(parent)
    , m_textWidth(textWidth)
    , m_headline(new QLabel(this))
    , m_text(new QLabel(this))
    , m_buttons(new QHBoxLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    setLook(m_headline, "headline");
    setLook(m_text, "muted");
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter);
    m_text->setFixedWidth(m_textWidth);
    layout->addStretch(2);
    layout->addWidget(m_headline, 0, Qt::AlignHCenter);
    layout->addWidget(m_text, 0, Qt::AlignHCenter);
    layout->addSpacing(6);
    m_buttons->setSpacing(10);
    m_buttons->addStretch();
    m_buttons->addStretch();
    layout->addLayout(m_buttons);
    layout->addStretch(3);
}

void EmptyState::setTexts(const QString& headline, const QString& text)
{
    m_headline->setText(headline);
    m_text->setText(text);
    m_text->setMinimumHeight(m_text->heightForWidth(m_textWidth));
    setAccessibleName(headline);
    setAccessibleDescription(text);
}

QPushButton* EmptyState::addButton(bool primary)
{
    auto* button = new QPushButton(this);
    if (primary)
        setLook(button, "primary");
    m_buttons->insertWidget(m_buttons->count() - 1, button);
    return button;
}

} // namespace ringmaster::app
