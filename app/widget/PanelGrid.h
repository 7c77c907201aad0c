#pragma once

#include "app/widget/PanelRow.h"

#include <QTimer>
#include <QVariantMap>

class QScrollArea;
class QShortcut;

namespace ringmaster::app {

class FoldedBar;

/// The panels of a page, in rows of places with handles between them; in a narrow window one below
/// the other in a column that scrolls. A panel can be hidden, folded to a button below, or have the
/// page alone. What the user chose is kept by saveState().
class PanelGrid : public QWidget
{
    Q_OBJECT

public:
    explicit PanelGrid(const std::vector<PanelRow::Description>& rows, QWidget* parent = nullptr);

    void setShown(const QString& panel, bool isShown);
    /// Shown, unfolded, before its neighbours, and scrolled to.
    void bringForward(const QString& panel);
    void maximise(const QString& panel);
    /// The panel with the focus; without one, the panel that is largest.
    void maximiseFocused();
    void restore();
    void resetLayout();

    std::vector<GridPanel> panels() const;
    bool isShown(const QString& panel) const;
    bool isMaximised() const { return m_maximised != nullptr; }
    bool isOneColumn() const { return m_isOneColumn; }

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build(const std::vector<PanelRow::Description>& rows);
    void connectPlace(PanelPlace* place);
    void addKeys();
    void arrange();
    void setOneColumn(bool isOneColumn);
    void updateVisibility();
    void updateFolded();
    void arrangeRows(int width);
    int leastWidth(bool isOneColumn) const;
    std::vector<PanelPlace*> places() const;
    PanelPlace* placeOf(const QString& panel) const;
    PanelPlace* placeWithFocus() const;
    std::vector<PanelSplitter*> splitters() const;
    QVariantList chosenSizes() const;
    void choose(const QVariantList& sizes);
    void nudge(Qt::Key arrow);
    void setTexts();

    QScrollArea* m_area;
    PanelSplitter* m_splitter; ///< Of the rows.
    std::vector<PanelRow*> m_rows;
    FoldedBar* m_folded;
    QShortcut* m_escape;
    PanelPlace* m_maximised = nullptr;
    bool m_isOneColumn = false;
    bool m_isArranging = false;
    QVariantList m_otherSizes; ///< Those chosen in the arrangement that isn't shown.
    QTimer m_arrange;
};

} // namespace ringmaster::app
