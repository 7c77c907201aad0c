#pragma once

#include <QAbstractButton>
#include <QtTest>

/// What a person does with a window, for tests that use nothing else.
namespace ringmaster::app {

inline void click(QWidget* widget)
{
    QVERIFY(widget != nullptr && widget->isVisible() && widget->isEnabled());
    QTest::mouseClick(widget, Qt::LeftButton);
}

/// In place of what stands there.
inline void type(QWidget* field, const QString& text)
{
    QVERIFY(field != nullptr && field->isVisible());
    field->setFocus();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Tab);
}

/// A visible one, by its accessible name; null: there is none.
template <class W>
W* visibleField(const QWidget& window, const char* name)
{
    for (W* widget : window.findChildren<W*>()) {
        if (widget->isVisible() && widget->accessibleName() == QLatin1String(name))
            return widget;
    }
    return nullptr;
}

/// A visible one, by its text; null: there is none.
inline QAbstractButton* button(const QWidget& parent, const char* text)
{
    for (QAbstractButton* button : parent.findChildren<QAbstractButton*>()) {
        QString plain = button->text();
        if (button->isVisible() && plain.remove(QLatin1Char('&')) == QString::fromUtf8(text))
            return button;
    }
    return nullptr;
}

} // namespace ringmaster::app
