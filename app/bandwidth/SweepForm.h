#pragma once

#include "engine/hosts/Host.h"
#include "engine/job/Sweep.h"

#include <QVariantMap>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace ringmaster::app {

class HostPicker;

/// What a sweep shall measure, by clicking.
class SweepForm : public QWidget
{
    Q_OBJECT

public:
    explicit SweepForm(QWidget* parent = nullptr);

    SweepRequest request() const;
    void setRequest(const SweepRequest& request);
    /// Of the host book, to choose from.
    void setHosts(const std::vector<Host>& hosts);

    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void changed();

private:
    QLabel* addField(QWidget* control);
    void addBackends();
    void addSizes();
    void connectFields();
    void hostsChanged();
    void setTexts();

    QComboBox* m_collective;
    QList<QCheckBox*> m_backends;
    QComboBox* m_smallest;
    QComboBox* m_largest;
    QSpinBox* m_factor;
    HostPicker* m_hosts;
    QSpinBox* m_ranks;
    QComboBox* m_type;
    QComboBox* m_reduction;
    QCheckBox* m_check;
    QLabel* m_collectiveLabel;
    QLabel* m_backendsLabel;
    QLabel* m_sizesLabel;
    QLabel* m_hostsLabel;
    QLabel* m_ranksLabel;
    QLabel* m_typeLabel;
    QLabel* m_reductionLabel;
};

} // namespace ringmaster::app
