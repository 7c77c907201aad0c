#include "app/widget/ReadableRows.h"

#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>
#include <QWindow>

namespace ringmaster::app {

namespace {

class RowInterface : public QAccessibleInterface
{
public:
    RowInterface(QAbstractItemView* view, int row) : m_view(view), m_row(row) {}

    bool isValid() const override { return m_view != nullptr && index().isValid(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view->window()->windowHandle(); }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_view);
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Name)
            return {};
        const QString told = index().data(Qt::AccessibleTextRole).toString();
        return told.isEmpty() ? index().data().toString() : told;
    }

    QRect rect() const override
    {
        const QRect rect = m_view->visualRect(index());
        return {m_view->viewport()->mapToGlobal(rect.topLeft()), rect.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.focusable = state.selectable = true;
        state.selected = m_view->selectionModel()->isSelected(index());
        state.focused = m_view->hasFocus() && m_view->currentIndex().row() == m_row;
        state.offscreen = !m_view->viewport()->rect().intersects(m_view->visualRect(index()));
        return state;
    }

private:
    QModelIndex index() const { return m_view->model()->index(m_row, 0); }

    QPointer<QAbstractItemView> m_view;
    int m_row;
};

class RowsInterface : public QAccessibleWidget
{
public:
    RowsInterface(QAbstractItemView* view, const ReadableRows& rows)
        : QAccessibleWidget(view, QAccessible::List), m_view(view), m_rows(rows)
    {
    }
    ~RowsInterface() override { forget(); }

    int childCount() const override { return m_rows.readableRows().count; }

    QAccessibleInterface* child(int place) const override
    {
        const auto range = m_rows.readableRows();
        return place < 0 || place >= range.count ? nullptr : interfaceOf(range.first + place);
    }

    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto range = m_rows.readableRows();
        for (int place = 0; place < range.count; ++place) {
            if (interfaceOf(range.first + place) == child)
                return place;
        }
        return -1;
    }

    QAccessibleInterface* childAt(int x, int y) const override
    {
        const QModelIndex index = m_view->indexAt(m_view->viewport()->mapFromGlobal(QPoint(x, y)));
        return index.isValid() ? interfaceOf(index.row()) : nullptr;
    }

    QAccessibleInterface* focusChild() const override
    {
        const QModelIndex index = m_view->currentIndex();
        return index.isValid() ? interfaceOf(index.row()) : nullptr;
    }

private:
    QAccessibleInterface* interfaceOf(int row) const
    {
        constexpr qsizetype Most = 4096;
        if (m_ids.size() > Most)
            forget();
        auto found = m_ids.find(row);
        if (found == m_ids.end())
            found = m_ids.insert(
                row, QAccessible::registerAccessibleInterface(new RowInterface(m_view, row)));
        return QAccessible::accessibleInterface(*found);
    }

    void forget() const
    {
        for (const QAccessible::Id id : std::as_const(m_ids))
            QAccessible::deleteAccessibleInterface(id);
        m_ids.clear();
    }

    QAbstractItemView* m_view;
    const ReadableRows& m_rows;
    mutable QHash<int, QAccessible::Id> m_ids;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    const auto* rows = dynamic_cast<const ReadableRows*>(object);
    return rows == nullptr ? nullptr
                           : new RowsInterface(qobject_cast<QAbstractItemView*>(object), *rows);
}

} // namespace

ReadableRows::ReadableRows()
{
    // Installing the same one again does nothing.
    QAccessible::installFactory(makeInterface);
}

void ReadableRows::tellCurrentRow(QAbstractItemView* view, const QModelIndex& current) const
{
    const Range range = readableRows();
    if (!QAccessible::isActive() || current.row() < range.first ||
        current.row() >= range.first + range.count)
        return;
    QAccessibleEvent event(view, QAccessible::Focus);
    event.setChild(current.row() - range.first);
    QAccessible::updateAccessibility(&event);
}

} // namespace ringmaster::app
