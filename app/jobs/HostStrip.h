#pragma once

#include "app/model/RunModel.h"

#include <QWidget>

namespace ringmaster::app {

class FlowLayout;

/// The hosts of a job with their states, also those that have no workers now. Not there for a job
/// on one machine.
class HostStrip : public QWidget
{
    Q_OBJECT

public:
    explicit HostStrip(const RunModel& run, QWidget* parent = nullptr);

private:
    void update();

    const RunModel& m_run;
    FlowLayout* m_layout;
    std::vector<HostSnapshot> m_shown;
};

/// One host: shape, name, word.
class HostBadge : public QWidget
{
    Q_OBJECT

public:
    HostBadge(const HostSnapshot& host, QWidget* parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    HostChanged::State m_state;
    QString m_text;
};

} // namespace ringmaster::app
