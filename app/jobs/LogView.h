#pragma once

#include "app/jobs/LogRows.h"
#include "app/widget/ReadableRows.h"

#include <QAbstractItemView>

namespace ringmaster::app {

class LogPointer;

/// Draws the visible rows of a LogModel, see LogRows. Scrolls by rows, and asks only for those
/// near the screen how high they are, so a long log costs no more than a short one. Says when the
/// reader moves away from the end or back to it, and clicks on a source file or a fold.
class LogView : public QAbstractItemView, public ReadableRows
{
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    QModelIndex indexAt(const QPoint& point) const override;
    void scrollToEnd();
    void setSticksToEnd(bool sticks);
    bool isAtEnd() const;
    void setShowsTimes(bool shows);
    bool showsTimes() const { return m_rows.showsTimes(); }
    /// Long lines go on below; else one scrolls to their right.
    void setWraps(bool wraps);
    bool wraps() const { return m_rows.wraps(); }
    /// What is looked for: it is marked where it stands.
    void setMarked(const LogFilter& marked);
    /// Stays until the log changes, or another is asked for.
    const LogRowLayout& layoutOf(const QModelIndex& index) const { return m_rows.layoutOf(index); }
    /// The selected lines, else all visible ones.
    QString selectedText() const;
    Range readableRows() const override;

Q_SIGNALS:
    void leftEnd();
    void reachedEnd();
    void reachedBeginning();
    /// Home, End: of all that there is, not of what is loaded.
    void firstLineRequested();
    void lastLineRequested();
    void sourceChosen(const ringmaster::app::SourcePlace& place);
    void foldToggled(int row);

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void paintEvent(QPaintEvent* event) override;
    void rowsInserted(const QModelIndex& parent, int start, int end) override;
    void rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles) override;
    void updateGeometries() override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

    QModelIndex moveCursor(CursorAction action, Qt::KeyboardModifiers modifiers) override;
    int horizontalOffset() const override;
    int verticalOffset() const override;
    bool isIndexHidden(const QModelIndex& index) const override;
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags flags) override;
    QRegion visualRegionForSelection(const QItemSelection& selection) const override;

private:
    void paintRow(QPainter& painter, const QModelIndex& index, const QRect& rect,
                  const LogRowLayout& layout);
    void chooseCurrent();
    void reportPosition();

    bool m_sticksToEnd = true;
    LogRows m_rows{*this};
    LogPointer* m_pointer;
    int m_widest = 0; ///< pixels, of the rows painted so far
};

} // namespace ringmaster::app
