#include "app/jobs/PortsDialog.h"

#include "app/bridge/MachineBridge.h"
#include "app/jobs/JobPorts.h"
#include "app/model/RunModel.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QGridLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace ringmaster::app {

namespace {

constexpr int LargestPort = 65'535;
constexpr int UsualPorts[] = {6006, 8888, 5678}; ///< TensorBoard's, Jupyter's, debugpy's.

} // namespace

PortsDialog::PortsDialog(JobPorts& ports, const RunModel& run, int rank, QWidget* parent)
    : QDialog(parent)
    , m_ports(ports)
    , m_run(run)
    , m_rank(rank)
    , m_about(new QLabel(this))
    , m_portLabel(new QLabel(this))
    , m_port(new QComboBox(this))
    , m_bring(new QPushButton(this))
    , m_place(new QVBoxLayout)
    , m_close(new QPushButton(this))
{
    build();
    connect(&ports, &JobPorts::changed, this, &PortsDialog::showPorts);
    translated(this, [this] { setTexts(); });
}

void PortsDialog::build()
{
    QList<int> choices = m_ports.recent();
    for (const int usual : UsualPorts)
        if (!choices.contains(usual))
            choices.append(usual);
    for (const int choice : choices)
        m_port->addItem(QString::number(choice));
    m_port->setEditable(true);
    m_port->lineEdit()->setValidator(new QIntValidator(1, LargestPort, m_port));
    m_about->setWordWrap(true);
    setLook(m_about, "muted");
    m_portLabel->setBuddy(m_port);
    m_bring->setDefault(true);
    m_close->setAutoDefault(false);
    connect(m_port, &QComboBox::currentTextChanged, this,
            [this] { m_bring->setEnabled(chosenPort() > 0); });
    connect(m_bring, &QPushButton::clicked, this, &PortsDialog::bring);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    auto* ask = new QHBoxLayout;
    ask->setSpacing(10);
    ask->addWidget(m_portLabel);
    ask->addWidget(m_port, 1);
    ask->addWidget(m_bring);
    auto* end = new QHBoxLayout;
    end->addStretch(1);
    end->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(10);
    layout->addWidget(m_about);
    layout->addLayout(ask);
    layout->addLayout(m_place);
    layout->addStretch(1);
    layout->addLayout(end);
    resize(480, 260);
}

void PortsDialog::setTexts()
{
    const RunSnapshot& run = m_run.snapshot();
    const bool isHere = machineOf(m_run.run()).isEmpty() && run.hosts.empty();
    setWindowTitle(tr("Forward a port"));
    m_portLabel->setText(tr("Port"));
    m_port->setAccessibleName(tr("Port"));
    m_bring->setText(isHere ? tr("Show") : tr("Forward"));
    m_close->setText(tr("Close"));
    m_about->setText(
        isHere ? tr("This job runs on this machine: what it serves on a port, such as TensorBoard, "
                    "is at 127.0.0.1 already.")
               : tr("What the job serves on a port, such as TensorBoard or a debugger, is reached "
                    "at 127.0.0.1 here, through your own ssh, until the run ends or this window is "
                    "closed. Every user of this machine can reach it, nobody else."));
    showPorts();
}

int PortsDialog::chosenPort() const
{
    const int port = m_port->currentText().toInt();
    return port <= LargestPort ? port : 0;
}

void PortsDialog::bring()
{
    m_ports.bring(m_run.run(), m_run.snapshot(), m_rank, chosenPort());
}

void PortsDialog::showPorts()
{
    if (m_list != nullptr) {
        m_list->hide();
        m_list->deleteLater();
    }
    m_list = new QWidget(this);
    m_place->addWidget(m_list);
    auto* grid = new QGridLayout(m_list);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setColumnStretch(1, 1);
    for (const JobPorts::Port& port : m_ports.of(m_run.run())) {
        const QString address =
            port.localPort > 0 ? QStringLiteral("127.0.0.1:%1").arg(port.localPort) : QString();
        const QString from =
            port.host.isEmpty() ? QString() : tr("port %1 of %2").arg(port.port).arg(port.host);
        addPort(address, from, port.trouble, port.id);
    }
}

void PortsDialog::addPort(const QString& address, const QString& from, const QString& trouble,
                          int id)
{
    auto* grid = static_cast<QGridLayout*>(m_list->layout());
    const int row = grid->rowCount();
    auto* link = new QLabel(m_list);
    link->setTextFormat(Qt::RichText);
    link->setTextInteractionFlags(Qt::TextBrowserInteraction);
    link->setOpenExternalLinks(true);
    link->setText(QStringLiteral("<a href=\"http://%1\">%1</a>").arg(address));
    link->setAccessibleName(address);
    link->setVisible(!address.isEmpty());
    auto* about = new QLabel(m_list);
    about->setTextFormat(Qt::PlainText);
    about->setWordWrap(true);
    setLook(about, "muted");
    const QString waiting = address.isEmpty() ? tr("on the way…") : QString();
    QStringList words{from, trouble.isEmpty() ? waiting : trouble};
    words.removeAll(QString());
    about->setText(words.join(QStringLiteral(": ")));
    auto* stop = new QPushButton(tr("Stop"), m_list);
    stop->setAutoDefault(false);
    stop->setAccessibleName(tr("Stop %1").arg(address.isEmpty() ? from : address));
    connect(stop, &QPushButton::clicked, this, [this, id] { m_ports.stop(id); });
    grid->addWidget(link, row, 0);
    grid->addWidget(about, row, 1);
    grid->addWidget(stop, row, 2);
}

} // namespace ringmaster::app
