#pragma once

#include <QStyledItemDelegate>

namespace ringmaster::app {

/// Draws a state in a table cell: shape and colour, then the word.
class StateDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    enum class Kind { Health, Severity };

    /// `role` holds the state as int.
    StateDelegate(Kind kind, int role, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    Kind m_kind;
    int m_role;
};

} // namespace ringmaster::app
