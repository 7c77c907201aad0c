#pragma once

#include <QLineEdit>
#include <QPushButton>
#include <QtTest>

namespace ringmaster::app {

/// By its accessible name, shown or not; null: there is none.
template <class W>
W* named(const QWidget& parent, const char* name)
{
    for (W* widget : parent.findChildren<W*>()) {
        if (widget->accessibleName() == QLatin1String(name))
            return widget;
    }
    return nullptr;
}

/// By its text, shown or not; null: there is none.
template <class B = QPushButton>
B* button(const QWidget& parent, const char* text)
{
    for (B* each : parent.findChildren<B*>()) {
        if (each->text() == QString::fromUtf8(text))
            return each;
    }
    return nullptr;
}

inline void type(QLineEdit* field, const char* text)
{
    field->selectAll();
    QTest::keyClicks(field, QLatin1String(text));
}

} // namespace ringmaster::app
