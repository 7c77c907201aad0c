#include "app/widget/Toast.h"

#include "app/widget/Card.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

Toast::Toast(QWidget* parent)
    : QFrame(parent), m_label(new QLabel(this)), m_undoButton(new QPushButton(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 10, 8);
    layout->addWidget(m_label);
    layout->addWidget(m_undoButton);
    setLook(m_undoButton, "flat");
    translated(this, [this] { m_undoButton->setText(tr("Undo")); });
    m_lifetime.setSingleShot(true);
    connect(&m_lifetime, &QTimer::timeout, this, &QWidget::hide);
    connect(m_undoButton, &QPushButton::clicked, this, [this] {
        m_lifetime.stop();
        hide();
        if (const auto undo = std::exchange(m_undo, nullptr))
            undo();
    });
    parent->installEventFilter(this);
    hide();
}

void Toast::show(const QString& text, std::function<void()> undo)
{
    m_undo = std::move(undo);
    m_label->setText(text);
    setAccessibleName(text);
    m_undoButton->setVisible(m_undo != nullptr);
    setVisible(true);
    place();
    raise();
    m_lifetime.start(m_undo ? 8s : 4s);
}

void Toast::add(const QString& text)
{
    const bool isBelow = isVisible() && m_undo == nullptr;
    show(isBelow ? m_label->text() + QLatin1Char('\n') + text : text, nullptr);
}

QString Toast::text() const
{
    return m_label->text();
}

void Toast::setAside(bool isAside)
{
    setVisible(!isAside && m_lifetime.isActive());
}

bool Toast::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

void Toast::place()
{
    adjustSize();
    const QSize area = parentWidget()->size();
    move((area.width() - width()) / 2, area.height() - height() - 24);
}

void Toast::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Tokens& tokens = themeTokens();
    painter.setPen(QPen(tokens.border, 1));
    painter.setBrush(tokens.selection);
    painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 8, 8);
}

} // namespace ringmaster::app
