#pragma once

#include <QStyledItemDelegate>

namespace ringmaster::app {

/// A run as two lines beside the shape of its state: for the side bar.
class RunDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace ringmaster::app
