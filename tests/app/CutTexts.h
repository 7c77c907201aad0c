#pragma once

#include "app/widget/ElidedLabel.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStringList>
#include <QStyleOptionComboBox>
#include <QTabBar>

namespace ringmaster::app {

/// For the entry that is chosen; another one may be longer.
inline int textWidthOf(const QComboBox& box)
{
    return box.fontMetrics().horizontalAdvance(box.currentText());
}

inline int roomIn(const QComboBox& box)
{
    QStyleOptionComboBox option;
    option.initFrom(&box);
    return box.style()
        ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box)
        .width();
}

/// What gives way where there is little room shows the rest as a tool tip: no defect in the
/// smallest window.
enum class GivingWay { Cut, Allowed };

/// The texts beneath `parent` for which there isn't room enough.
inline QStringList cutTexts(const QWidget& parent, GivingWay givingWay = GivingWay::Cut)
{
    QStringList cut;
    const auto note = [&](const QWidget* widget, const QString& text, bool isCut) {
        if (isCut && widget->isVisible() && !text.isEmpty())
            cut << QStringLiteral("%1 (%2x%3, wants %4x%5)")
                       .arg(text)
                       .arg(widget->width())
                       .arg(widget->height())
                       .arg(widget->sizeHint().width())
                       .arg(widget->sizeHint().height());
    };
    for (const QLabel* label : parent.findChildren<QLabel*>()) {
        const bool isCut = label->wordWrap()
                               ? label->height() < label->heightForWidth(label->width())
                               : label->width() < label->sizeHint().width();
        note(label, label->text(), isCut);
    }
    for (const ElidedLabel* label : parent.findChildren<ElidedLabel*>())
        note(label, label->text(), label->isElided() && givingWay == GivingWay::Cut);
    for (const QAbstractButton* button : parent.findChildren<QAbstractButton*>())
        note(button, button->text(), button->width() < button->sizeHint().width());
    for (const QTabBar* tabs : parent.findChildren<QTabBar*>())
        note(tabs, tabs->tabText(tabs->count() - 1), tabs->width() < tabs->sizeHint().width());
    for (const QAbstractSpinBox* box : parent.findChildren<QAbstractSpinBox*>())
        note(box, box->text(), box->width() < box->sizeHint().width());
    for (const QComboBox* box : parent.findChildren<QComboBox*>())
        note(box, box->currentText(), !box->isEditable() && roomIn(*box) < textWidthOf(*box));
    for (const QLineEdit* line : parent.findChildren<QLineEdit*>()) {
        const int room = line->contentsRect().width();
        note(line, line->placeholderText(),
             line->text().isEmpty() &&
                 room < line->fontMetrics().horizontalAdvance(line->placeholderText()));
    }
    return cut;
}

} // namespace ringmaster::app
