#pragma once

#include "app/hosts/HostListModel.h"
#include "app/widget/Card.h"

class QFormLayout;
class QScrollArea;

namespace ringmaster::app {

/// All that is known of one host: how it is reached, what it said, why it can't be used. What isn't
/// known has no line.
class HostDetails : public Card
{
    Q_OBJECT

public:
    explicit HostDetails(const HostListModel& hosts, QWidget* parent = nullptr);

    /// A row of the model; -1: none is chosen, and one that answered is shown.
    void show(int row);
    /// In lines: title, value.
    QString text() const;

private:
    using Facts = std::vector<std::pair<QString, QString>>;

    int shownRow() const;
    Facts factsOf(int row) const;
    void update();

    const HostListModel& m_hosts;
    int m_row = -1;
    Facts m_facts;
    QScrollArea* m_area;
    QFormLayout* m_lines;
};

} // namespace ringmaster::app
