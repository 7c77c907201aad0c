#pragma once

#include <QStyledItemDelegate>

namespace ringmaster::app {

/// Draws a cell whose `role` holds how much is done, 0 to 1, as a bar with the display text beside
/// it; without that, the text alone.
class ProgressDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    ProgressDelegate(int role, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_role;
};

} // namespace ringmaster::app
