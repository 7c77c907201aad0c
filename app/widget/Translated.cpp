#include "app/widget/Translated.h"

#include <QEvent>
#include <QWidget>

namespace ringmaster::app {

namespace {

class LanguageWatch : public QObject
{
public:
    LanguageWatch(QWidget* widget, std::function<void()> setTexts)
        : QObject(widget), m_setTexts(std::move(setTexts))
    {
        widget->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::LanguageChange)
            m_setTexts();
        return QObject::eventFilter(watched, event);
    }

private:
    std::function<void()> m_setTexts;
};

} // namespace

void translated(QWidget* widget, std::function<void()> setTexts)
{
    setTexts();
    new LanguageWatch(widget, std::move(setTexts));
}

} // namespace ringmaster::app
