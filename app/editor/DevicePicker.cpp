#include "app/editor/DevicePicker.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

DevicePicker::DevicePicker(QWidget* parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)), m_absence(new QLabel(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(4);
    m_absence->setWordWrap(true);
    setLook(m_absence, "muted");
    m_layout->addWidget(m_absence);
    translated(this, [this] { build(); });
}

void DevicePicker::setDevices(const DeviceList& devices)
{
    m_devices = devices;
    build();
}

void DevicePicker::setChosen(const std::vector<int>& indexes)
{
    m_chosen = indexes;
    build();
}

std::vector<int> DevicePicker::chosen() const
{
    return m_chosen;
}

void DevicePicker::build()
{
    qDeleteAll(m_boxes);
    m_boxes.clear();
    m_absence->setVisible(m_devices.devices.empty());
    m_absence->setText(m_devices.absence ? text(*m_devices.absence) : tr("No GPU was found."));
    for (const Device& device : m_devices.devices) {
        QString line = tr("GPU %1: %2, %3 of %4 in use")
                           .arg(QString::number(device.index), QString::fromStdString(device.name),
                                bytesText(device.usedBytes), bytesText(device.totalBytes));
        QStringList users;
        for (const DeviceProcess& process : device.processes)
            users.append(tr("process %1").arg(process.pid));
        if (!users.isEmpty())
            line += tr(" by %1").arg(users.join(QStringLiteral(", ")));
        auto* box = new QCheckBox(line, this);
        box->setChecked(std::find(m_chosen.begin(), m_chosen.end(), device.index) !=
                        m_chosen.end());
        connect(box, &QCheckBox::toggled, this, [this, index = device.index](bool isChosen) {
            std::erase(m_chosen, index);
            if (isChosen)
                m_chosen.push_back(index);
            std::sort(m_chosen.begin(), m_chosen.end());
            Q_EMIT edited();
        });
        m_layout->addWidget(box);
        m_boxes.push_back(box);
    }
}

} // namespace ringmaster::app
