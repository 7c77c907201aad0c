#pragma once

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace ringmaster::app {

class JobPorts;
class RunModel;

/// Asks for a port of a job, and shows those that are at 127.0.0.1 here: a link each, and its end.
class PortsDialog : public QDialog
{
    Q_OBJECT

public:
    /// `rank`: whose host is meant, of a run on several; -1: that of rank 0. `run` outlives it.
    PortsDialog(JobPorts& ports, const RunModel& run, int rank, QWidget* parent = nullptr);

private:
    void build();
    void setTexts();
    void showPorts();
    void addPort(const QString& address, const QString& from, const QString& trouble, int id);
    void bring();
    int chosenPort() const;

    JobPorts& m_ports;
    const RunModel& m_run;
    const int m_rank;
    QLabel* m_about;
    QLabel* m_portLabel;
    QComboBox* m_port;
    QPushButton* m_bring;
    QWidget* m_list = nullptr;
    QVBoxLayout* m_place;
    QPushButton* m_close;
};

} // namespace ringmaster::app
