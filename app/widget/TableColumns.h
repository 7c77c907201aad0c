#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <vector>

class QMenu;
class QPoint;
class QTableView;

namespace ringmaster::app {

/// Which columns a table shows: as many as there is room for, where those of least worth give way
/// first. Once somebody has chosen in the menu of the header, what they chose, also next time.
/// Titles are whole in each language, and so are texts of about the width that a column has. The
/// table has its model already.
class TableColumns : public QObject
{
    Q_OBJECT

public:
    struct Room
    {
        /// In pixels, of each column but the last, which takes what is left.
        std::vector<int> widths{};
        int lastWidth = 100; ///< At least.
        /// Columns in the order in which they give way; the others never do.
        std::vector<int> givingWay{};
        /// Columns that share what the last doesn't need, each up to so many pixels.
        std::map<int, int> growing{};
    };

    /// `name`: of the table, in the settings.
    TableColumns(QTableView& table, QString name, Room room);

    /// A column that has nothing to tell has no place, and isn't in the menu.
    void setUseful(int column, bool isUseful);
    /// As the table is now. Whoever gives the header another state calls it.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The longest text that was seen in a column.
    struct Contents
    {
        qsizetype letters = 0;
        int width = 0; ///< pixels
    };

    int wantedWidth(int column) const;
    int widthOf(int column) const;
    bool isAsGiven(int column) const;
    void lookAtContents();
    bool takesTheRest(int column) const;
    std::vector<int> shownAtMost() const;
    void hide(const std::set<int>& hidden);
    void giveTheRest();
    void grow(std::vector<int>& widths, const std::set<int>& hidden,
              const std::set<int>& given) const;
    void showMenu(const QPoint& global);
    void fillMenu(QMenu& menu);
    void choose(std::optional<std::set<int>> hidden);

    QTableView& m_table;
    QString m_name;
    Room m_room;
    std::set<int> m_useless;
    std::map<int, int> m_widths; ///< Of columns that are hidden.
    std::map<int, int> m_given;  ///< Widths that were given here.
    std::map<int, Contents> m_contents;
    QTimer m_soon;
    std::optional<std::set<int>> m_chosen; ///< Those that somebody doesn't want.
    QPointer<QMenu> m_menu;
    bool m_isFitting = false;
};

} // namespace ringmaster::app
