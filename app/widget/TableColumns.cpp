#include "app/widget/TableColumns.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

QString keyOf(const QString& name)
{
    return QStringLiteral("columns/") + name;
}

std::optional<std::set<int>> chosenBefore(const QString& name)
{
    const QVariant value = QSettings().value(keyOf(name));
    if (!value.isValid())
        return std::nullopt;
    std::set<int> hidden;
    for (const QString& column : value.toString().split(u',', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        const int number = column.toInt(&isNumber);
        if (isNumber)
            hidden.insert(number);
    }
    return hidden;
}

void remember(const QString& name, const std::optional<std::set<int>>& hidden)
{
    if (!hidden)
        return QSettings().remove(keyOf(name));
    QStringList columns;
    for (const int column : *hidden)
        columns << QString::number(column);
    QSettings().setValue(keyOf(name), columns.join(u','));
}

} // namespace

TableColumns::TableColumns(QTableView& table, QString name, Room room)
    : QObject(&table)
    , m_table(table)
    , m_name(std::move(name))
    , m_room(std::move(room))
    , m_chosen(chosenBefore(m_name))
{
    for (int column = 0; const int width : m_room.widths)
        table.setColumnWidth(column++, width);
    QHeaderView* header = table.horizontalHeader();
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this,
            [this, header](const QPoint& position) { showMenu(header->mapToGlobal(position)); });
    // By the keyboard, where the rows have no menu of their own.
    table.installEventFilter(this);
    table.viewport()->installEventFilter(this);
    connect(table.model(), &QAbstractItemModel::headerDataChanged, this, &TableColumns::fit);
    fit();
}

void TableColumns::setUseful(int column, bool isUseful)
{
    const bool isNew = isUseful ? m_useless.erase(column) > 0 : m_useless.insert(column).second;
    if (isNew)
        fit();
}

bool TableColumns::takesTheRest(int column) const
{
    const QHeaderView& header = *m_table.horizontalHeader();
    if (header.sectionResizeMode(column) == QHeaderView::Stretch)
        return true;
    int last = header.count() - 1;
    while (last > 0 && header.isSectionHidden(header.logicalIndex(last)))
        --last;
    return header.stretchLastSection() && column == header.logicalIndex(last);
}

/// What it needs, at least.
int TableColumns::widthOf(int column) const
{
    constexpr int Padding = 20;
    const QHeaderView& header = *m_table.horizontalHeader();
    const QString words = m_table.model()->headerData(column, Qt::Horizontal).toString();
    const int title = header.fontMetrics().horizontalAdvance(words) + Padding;
    const auto index = static_cast<size_t>(column);
    const int wanted = index < m_room.widths.size() ? m_room.widths[index] : m_room.lastWidth;
    if (takesTheRest(column))
        return std::max(title, wanted);
    if (!header.isSectionHidden(column))
        return std::max(title, header.sectionSize(column));
    const auto before = m_widths.find(column);
    return std::max(title, before == m_widths.end() ? wanted : before->second);
}

/// All that have something to tell.
std::vector<int> TableColumns::shownAtMost() const
{
    std::vector<int> columns;
    for (int column = 0; column < m_table.model()->columnCount(); ++column)
        if (!m_useless.contains(column))
            columns.push_back(column);
    return columns;
}

void TableColumns::fit()
{
    if (m_table.model() == nullptr || std::exchange(m_isFitting, true))
        return;
    std::set<int> hidden = m_useless;
    int needed = 0;
    for (const int column : shownAtMost())
        needed += widthOf(column);
    if (m_chosen) {
        hidden.insert(m_chosen->begin(), m_chosen->end());
    } else {
        for (const int column : m_room.givingWay) {
            if (needed <= m_table.viewport()->width())
                break;
            if (hidden.insert(column).second)
                needed -= widthOf(column);
        }
    }
    hide(hidden);
    m_isFitting = false;
}

void TableColumns::hide(const std::set<int>& hidden)
{
    QHeaderView& header = *m_table.horizontalHeader();
    const int count = m_table.model()->columnCount();
    // Before any is hidden: then another takes the rest.
    std::vector<int> widths;
    for (int column = 0; column < count; ++column)
        widths.push_back(widthOf(column));
    for (int column = 0; column < count; ++column) {
        if (hidden.contains(column) && !header.isSectionHidden(column))
            m_widths[column] = widths[static_cast<size_t>(column)];
        m_table.setColumnHidden(column, hidden.contains(column));
    }
    for (int column = 0; column < count; ++column) {
        const int width = widths[static_cast<size_t>(column)];
        if (!hidden.contains(column) && !takesTheRest(column) &&
            header.sectionSize(column) != width)
            header.resizeSection(column, width);
    }
}

bool TableColumns::eventFilter(QObject* watched, QEvent* event)
{
    const bool isNewSize = event->type() == QEvent::Resize && watched == m_table.viewport();
    const bool areNewTitles = event->type() == QEvent::LanguageChange && watched == &m_table;
    if (isNewSize || areNewTitles)
        fit();
    if (event->type() == QEvent::ContextMenu && watched == &m_table &&
        m_table.contextMenuPolicy() == Qt::DefaultContextMenu) {
        const auto& asked = static_cast<const QContextMenuEvent&>(*event);
        if (asked.reason() == QContextMenuEvent::Keyboard) {
            showMenu(m_table.mapToGlobal(QPoint()));
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

void TableColumns::showMenu(const QPoint& global)
{
    delete m_menu;
    m_menu = new QMenu(&m_table);
    m_menu->setAttribute(Qt::WA_DeleteOnClose);
    fillMenu(*m_menu);
    m_menu->popup(global);
}

void TableColumns::fillMenu(QMenu& menu)
{
    std::set<int> hidden;
    for (const int column : shownAtMost())
        if (m_table.isColumnHidden(column))
            hidden.insert(column);
    const size_t shown = shownAtMost().size() - hidden.size();
    for (const int column : shownAtMost()) {
        QAction* action =
            menu.addAction(m_table.model()->headerData(column, Qt::Horizontal).toString());
        const bool isShown = !hidden.contains(column);
        action->setCheckable(true);
        action->setChecked(isShown);
        action->setEnabled(!isShown || shown > 1);
        connect(action, &QAction::triggered, this, [this, column, hidden](bool wanted) mutable {
            if (wanted)
                hidden.erase(column);
            else
                hidden.insert(column);
            choose(hidden);
        });
    }
    menu.addSeparator();
    QAction* automatic = menu.addAction(tr("As many as there is room for"));
    automatic->setCheckable(true);
    automatic->setChecked(!m_chosen);
    connect(automatic, &QAction::triggered, this, [this] { choose(std::nullopt); });
}

void TableColumns::choose(std::optional<std::set<int>> hidden)
{
    m_chosen = std::move(hidden);
    remember(m_name, m_chosen);
    fit();
}

} // namespace ringmaster::app
