#include "app/widget/TableColumns.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSettings>
#include <QStyledItemDelegate>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr int RowsSeen = 100;   ///< That are looked at.
constexpr int CellPadding = 12; ///< Of the style sheet.
constexpr int LeastMost = 110;  ///< A longer text is cut, where a column isn't meant to be wider.

/// In many types a 1 is narrow: as many other digits need so much more.
int roomForOtherDigits(QString text, const QFontMetrics& metrics)
{
    const int own = metrics.horizontalAdvance(text);
    for (QChar& letter : text)
        if (letter.isDigit())
            letter = u'0';
    return std::max(0, metrics.horizontalAdvance(text) - own);
}

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
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &TableColumns::fit);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(table.model(), signal, this, &TableColumns::lookAtContents);
    connect(table.model(), &QAbstractItemModel::modelReset, this, &TableColumns::lookAtContents);
    connect(table.model(), &QAbstractItemModel::layoutChanged, this, &TableColumns::lookAtContents);
    connect(table.model(), &QAbstractItemModel::dataChanged, this, &TableColumns::lookAtContents);
    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this,
            &TableColumns::lookAtContents);
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

int TableColumns::wantedWidth(int column) const
{
    const auto index = static_cast<size_t>(column);
    return index < m_room.widths.size() ? m_room.widths[index] : m_room.lastWidth;
}

/// What it needs, at least.
int TableColumns::widthOf(int column) const
{
    constexpr int Padding = 20;
    const QHeaderView& header = *m_table.horizontalHeader();
    const QString words = m_table.model()->headerData(column, Qt::Horizontal).toString();
    // The header knows of the room for the arrow of what is sorted by.
    const int title = std::max(header.fontMetrics().horizontalAdvance(words) + Padding,
                               header.sectionSizeHint(column));
    const auto contents = m_contents.find(column);
    const int least = std::max(title, contents == m_contents.end() ? 0 : contents->second.width);
    if (takesTheRest(column))
        return std::max(title, wantedWidth(column));
    // It shrinks to this again before another gives way.
    if (m_room.growing.contains(column) && isAsGiven(column))
        return std::max(least, wantedWidth(column));
    if (!header.isSectionHidden(column))
        return std::max(isAsGiven(column) ? least : title, header.sectionSize(column));
    const auto before = m_widths.find(column);
    return std::max(least, before == m_widths.end() ? wantedWidth(column) : before->second);
}

/// By us, and by nobody with the mouse.
bool TableColumns::isAsGiven(int column) const
{
    const auto given = m_given.find(column);
    const int width = given == m_given.end() ? wantedWidth(column) : given->second;
    return m_table.horizontalHeader()->sectionSize(column) == width;
}

/// A column grows with the longest text that is seen in it, and doesn't shrink again: what is
/// beside it would go to and fro.
void TableColumns::lookAtContents()
{
    if (m_table.model() == nullptr || !m_table.isVisible())
        return;
    const int first = std::max(0, m_table.rowAt(0));
    const int last = m_table.rowAt(m_table.viewport()->height() - 1);
    const int end = last < 0 ? m_table.model()->rowCount() : last + 1;
    for (const int column : shownAtMost()) {
        Contents& seen = m_contents[column];
        for (int row = first; row < std::min(end, first + RowsSeen); ++row) {
            const QModelIndex index = m_table.model()->index(row, column);
            const QString text = index.data().toString();
            const qsizetype letters = text.size();
            if (letters <= seen.letters)
                continue;
            seen.letters = letters;
            QStyleOptionViewItem option;
            option.initFrom(&m_table);
            const int needed =
                m_table.itemDelegateForIndex(index)->sizeHint(option, index).width() + CellPadding +
                roomForOtherDigits(text, m_table.fontMetrics());
            const int most = std::max(wantedWidth(column) * 3 / 2, LeastMost);
            if (std::min(needed, most) > seen.width) {
                seen.width = std::min(needed, most);
                m_soon.start();
            }
        }
    }
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
    if (m_table.model() == nullptr)
        return;
    // Its own work changes what it began with: a bar that comes or goes takes or leaves room.
    if (std::exchange(m_isFitting, true))
        return m_soon.start();
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
    std::set<int> given;
    for (int column = 0; column < count; ++column) {
        widths.push_back(widthOf(column));
        if (header.isSectionHidden(column) || takesTheRest(column) || isAsGiven(column))
            given.insert(column);
    }
    grow(widths, hidden, given);
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
        if (given.contains(column))
            m_given[column] = width;
    }
    giveTheRest();
}

/// The header gives the rest to its last column when it gets another size, but not to one that was
/// hidden: that has its old width.
void TableColumns::giveTheRest()
{
    QHeaderView& header = *m_table.horizontalHeader();
    const int tooWide = header.length() - m_table.viewport()->width();
    if (!header.stretchLastSection() || tooWide <= 0)
        return;
    for (int column = 0; column < header.count(); ++column) {
        if (!header.isSectionHidden(column) && takesTheRest(column))
            return header.resizeSection(
                column, std::max(header.sectionSize(column) - tooWide, widthOf(column)));
    }
}

void TableColumns::grow(std::vector<int>& widths, const std::set<int>& hidden,
                        const std::set<int>& given) const
{
    int spare = m_table.viewport()->width();
    std::vector<int> growing;
    for (int column = 0; column < static_cast<int>(widths.size()); ++column) {
        if (hidden.contains(column))
            continue;
        const auto contents = m_contents.find(column);
        const int width = widths[static_cast<size_t>(column)];
        const bool needsMore = takesTheRest(column) && contents != m_contents.end();
        spare -= needsMore ? std::max(width, contents->second.width) : width;
        if (m_room.growing.contains(column) && given.contains(column))
            growing.push_back(column);
    }
    for (size_t i = 0; spare > 0 && i < growing.size(); ++i) {
        int& width = widths[static_cast<size_t>(growing[i])];
        const int more = std::clamp(m_room.growing.at(growing[i]) - width, 0,
                                    spare / static_cast<int>(growing.size() - i));
        width += more;
        spare -= more;
    }
}

bool TableColumns::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show && watched == &m_table)
        lookAtContents();
    const bool isNewSize = event->type() == QEvent::Resize && watched == m_table.viewport();
    if (isNewSize)
        lookAtContents();
    const bool areNewTitles = event->type() == QEvent::LanguageChange && watched == &m_table;
    if (areNewTitles)
        m_contents.clear();
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
