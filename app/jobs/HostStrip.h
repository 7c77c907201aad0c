#pragma once

#include "engine/event/Snapshot.h"

#include <QWidget>

namespace ringmaster::app {

class FlowLayout;

/// Hosts of a job with their states: those that nothing else tells of, such as one that has no
/// workers now. Not there for a job on one machine.
class HostStrip : public QWidget
{
    Q_OBJECT

public:
    explicit HostStrip(QWidget* parent = nullptr);

    /// Are they others than before?
    bool setHosts(const std::vector<HostSnapshot>& hosts);

private:
    void update();

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
