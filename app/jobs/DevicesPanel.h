#pragma once

#include "app/model/DeviceTableModel.h"
#include "app/widget/TwinCard.h"

#include <QTimer>

class QGridLayout;
class QScrollArea;

namespace ringmaster::app {

class DeviceSpark;
class ElidedLabel;

/// What the machine and its GPUs do meanwhile: a row a device, a small line a quantity, and their
/// twin table. Not available as long as nothing was measured.
class DevicesPanel : public TwinCard
{
    Q_OBJECT

public:
    DevicesPanel(const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    Height heightIn(int width) const override;
    /// Says when they were measured, where that is long ago.
    void updateAge();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct RowWidgets
    {
        ElidedLabel* name = nullptr;
        ElidedLabel* detail = nullptr;
        std::vector<DeviceSpark*> sparks{};
    };

    void update();
    void updateRows();
    /// Rows are low where they aren't in sight otherwise.
    void fitRows();
    RowWidgets makeRow(int row);
    void fill(RowWidgets& widgets, int row, const DeviceRow& device);
    void setLow(RowWidgets& widgets) const;
    void setTexts();

    const RunModel& m_run;
    TimeSpan& m_span;
    DeviceRows m_rows;
    DeviceTableModel m_moments;
    std::vector<RowWidgets> m_widgets;
    QScrollArea* m_area;
    QGridLayout* m_grid;
    bool m_areRowsLow = false;
    QTimer m_pause; ///< Each of many machines is measured every second, at its own moment.
    bool m_isBehind = false;
    QString m_said; ///< Without the age of the figures.
};

} // namespace ringmaster::app
