#pragma once

#include <QStyledItemDelegate>

namespace ringmaster::app {

/// A row of a list that is a sentence with a severity: a shape in its colour, then the sentence on
/// as many lines as it needs. `role` holds a Finding::Severity.
class FindingDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    FindingDelegate(int role, QObject* parent) : QStyledItemDelegate(parent), m_role(role) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_role;
};

} // namespace ringmaster::app
