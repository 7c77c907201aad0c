#pragma once

#include "app/jobs/RunPanels.h"
#include "app/widget/PanelRow.h"

#include <QWidget>

namespace ringmaster::app {

/// What a run's page shows, without its actions.
class RunPreviewPanels : public QWidget
{
    Q_OBJECT

public:
    RunPreviewPanels(EngineBridge& bridge, const std::string& run, RunPanels::Extent extent,
                     QWidget* parent = nullptr);

    const RunModel& run() const { return m_view.run; }

Q_SIGNALS:
    /// How the run stands, or since when, is something else.
    void changed();
    /// A sentence for the reader.
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    std::vector<PanelRow::Description> rows() const;
    std::vector<PanelRow::Description> rowsOfGlance() const;
    void showOperations();

    RunView m_view;
    RunPanels m_panels;
};

} // namespace ringmaster::app
