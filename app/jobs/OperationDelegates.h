#pragma once

#include <QStyledItemDelegate>

namespace ringmaster::app {

/// An operation's name behind the colour and shape of its line in the chart.
class OperationKindDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// A share of the wall time as a bar: what was transfer is filled, what was waiting hatched.
class OperationShareDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace ringmaster::app
