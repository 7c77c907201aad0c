#pragma once

#include <QMenu>

namespace ringmaster::app {

class PlotView;

/// What can be done with a plot besides looking at it: save it, copy it, show all of it.
class PlotMenu : public QMenu
{
    Q_OBJECT

public:
    explicit PlotMenu(PlotView& view);

private:
    void save(const QString& suffix, std::function<QByteArray()> content);

    PlotView& m_view;
};

} // namespace ringmaster::app
