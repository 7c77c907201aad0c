#pragma once

#include "engine/machine/Devices.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace ringmaster::app {

/// The GPUs of this machine, with their memory and who uses it; the chosen ones are what the
/// workers see.
class DevicePicker : public QWidget
{
    Q_OBJECT

public:
    explicit DevicePicker(QWidget* parent = nullptr);

    void setDevices(const DeviceList& devices);
    void setChosen(const std::vector<int>& indexes);
    std::vector<int> chosen() const;

Q_SIGNALS:
    void edited();

private:
    void build();

    DeviceList m_devices;
    std::vector<int> m_chosen;
    QVBoxLayout* m_layout;
    QLabel* m_absence;
    std::vector<QCheckBox*> m_boxes;
};

} // namespace ringmaster::app
