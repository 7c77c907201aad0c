#pragma once

#include "app/widget/Card.h"

class QTableView;
class QToolButton;

namespace ringmaster::app {

/// A card with a view and its twin table, which has the same content: for the keyboard, for screen
/// readers, for copying. A button in the header switches between them.
class TwinCard : public Card
{
    Q_OBJECT

public:
    explicit TwinCard(QWidget* parent = nullptr);

    /// Puts the view and its table below what is in the card already, and the button at the right.
    void setView(QWidget* view);
    void setTwinTexts(const QString& viewName, const QString& tableName,
                      const QString& buttonToolTip);
    QTableView* table() const { return m_table; }
    bool showsTable() const;
    void showTable(bool shown);

Q_SIGNALS:
    void tableShown(bool shown);

private:
    QWidget* m_view = nullptr;
    QTableView* m_table;
    QToolButton* m_button;
};

} // namespace ringmaster::app
