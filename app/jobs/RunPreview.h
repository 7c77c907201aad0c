#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/jobs/RunPanels.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace ringmaster::app {

class ElidedLabel;
class RunPreviewPanels;
class StatusBadge;

/// The chosen run of a list, below it: how it stands, why, and what its page would show. Follows
/// nothing while nobody sees it.
class RunPreview : public QWidget
{
    Q_OBJECT

public:
    explicit RunPreview(EngineBridge& bridge, QWidget* parent = nullptr);

    /// Empty: none.
    void show(const std::string& run);
    /// Of what its page would show.
    void setExtent(RunPanels::Extent extent);
    RunPanels::Extent extent() const { return m_extent; }
    const std::string& run() const { return m_run; }
    /// Of the run that is followed now; nothing while none is.
    const RunPreviewPanels* panels() const { return m_panels; }

Q_SIGNALS:
    void openRequested(const QString& run);
    /// A sentence for the reader.
    void told(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void follow();
    void forget();
    void update();
    void setTexts();

    EngineBridge& m_bridge;
    std::string m_run;
    RunPanels::Extent m_extent = RunPanels::Extent::Whole;
    QTimer m_soon; ///< Who walks through the list follows the run that they stay at.
    QLabel* m_name;
    StatusBadge* m_badge;
    ElidedLabel* m_line;
    QPushButton* m_open;
    RunPreviewPanels* m_panels = nullptr;
};

} // namespace ringmaster::app
