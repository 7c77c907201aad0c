#pragma once

#include <QStyledItemDelegate>

namespace ringmaster::app {

/// A job's name in a table's cell, with the machine below it where that is another one.
class JobNameDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace ringmaster::app
