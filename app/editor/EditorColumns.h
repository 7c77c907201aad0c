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

Q_SIGNALS:
    /// The scroll bar stands in the page's margin, so that the fields keep their width: of this
    /// width; 0: it isn't there.
    void barChanged(int width);

protected:
    bool event(QEvent* event) override;

private:
    void place();

    QSplitter* m_columns;
    QSplitter* m_panels;
    int m_bar = 0;
};

} // namespace ringmaster::app
