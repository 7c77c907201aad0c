#include "app/widget/PlotMenu.h"

#include "app/widget/PlotView.h"
#include "app/widget/SaveDialog.h"

#include <QApplication>
#include <QClipboard>

namespace ringmaster::app {

PlotMenu::PlotMenu(PlotView& view) : QMenu(&view), m_view(view)
{
    addAction(tr("Save as picture (PNG)…"), this, [this] {
        save(QStringLiteral("png"), [picture = m_view.picture()] { return pngOf(picture); });
    });
    addAction(tr("Save as drawing (SVG)…"), this, [this] {
        save(QStringLiteral("svg"), [drawing = m_view.drawing()] { return drawing; });
    });
    if (m_view.csv())
        addAction(tr("Save values as CSV…"), this,
                  [this] { save(QStringLiteral("csv"), [csv = m_view.csv()()] { return csv; }); });
    addAction(tr("Copy picture"), this,
              [this] { QApplication::clipboard()->setImage(m_view.picture()); });
    addSeparator();
    addAction(tr("Show all lines"), this, [this] {
        m_view.showAllLines();
    })->setEnabled(!m_view.areAllShown());
}

void PlotMenu::save(const QString& suffix, std::function<QByteArray()> content)
{
    // The menu is gone before the file is there.
    PlotView* view = &m_view;
    saveByDialog(view, view->files(), tr("Save the chart"), view->fileName() + u'.' + suffix,
                 std::move(content),
                 [view](const QString& sentence) { Q_EMIT view->told(sentence); });
}

} // namespace ringmaster::app
