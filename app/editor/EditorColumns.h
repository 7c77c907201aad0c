#pragma once

#include <QScrollArea>
#include <QVariantMap>

class QSplitter;

namespace ringmaster::app {

/// The form and the panels beside it; in a narrow window the panels stand below the form, and one
/// scrolls to them.
class EditorColumns : public QScrollArea
{
    Q_OBJECT

public:
    EditorColumns(QWidget* form, const QList<QWidget*>& panels, QWidget* parent = nullptr);

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);
    /// The form has another height.
    void place();

Q_SIGNALS:
    /// The panels stand below the form, all of which is there.
    void stackedChanged(bool isStacked);
    /// The scroll bar stands in the page's margin, so that the fields keep their width: of this
    /// width; 0: it isn't there.
    void barChanged(int width);

protected:
    bool event(QEvent* event) override;

private:
    QSplitter* m_columns;
    QSplitter* m_panels;
    bool m_isStacked = false;
    int m_bar = 0;
};

} // namespace ringmaster::app
