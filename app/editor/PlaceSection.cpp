#include "app/editor/PlaceSection.h"

#include "app/editor/DevicePicker.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>

namespace ringmaster::app {

namespace {

/// What may stand in the combo box: its data, and its text where that is something else.
constexpr const char* NamedCounts[] = {"auto", "gpu", "cpu"};
constexpr int PlainCounts[] = {1, 2, 3, 4, 8};
constexpr const char* Backends[] = {"", "gloo", "nccl"};

} // namespace

PlaceSection::PlaceSection(QWidget* parent)
    : FormSection(parent)
    , m_workers(new QComboBox(this))
    , m_minNodes(new QSpinBox(this))
    , m_maxNodes(new QSpinBox(this))
    , m_to(new QLabel(this))
    , m_devices(new DevicePicker(this))
    , m_backend(new QComboBox(this))
{
    m_workers->setEditable(true);
    m_workers->setInsertPolicy(QComboBox::NoInsert);
    for (const char* name : NamedCounts)
        m_workers->addItem(QString(), QString::fromLatin1(name));
    for (const int count : PlainCounts)
        m_workers->addItem(QString::number(count), QString::number(count));
    for (const char* name : Backends)
        m_backend->addItem(QString::fromLatin1(name), QString::fromLatin1(name));
    for (QSpinBox* box : {m_minNodes, m_maxNodes}) {
        box->setRange(1, 10'000);
        box->setMinimumWidth(80);
        connect(box, &QSpinBox::valueChanged, this, &PlaceSection::tellEdited);
    }
    auto* nodes = new QHBoxLayout;
    nodes->setSpacing(8);
    nodes->addWidget(m_minNodes);
    nodes->addWidget(m_to);
    nodes->addWidget(m_maxNodes);
    nodes->addStretch(1);
    setLook(m_to, "muted");
    m_labels = {addRow(m_workers), addRow(m_devices), addRow(nodes, m_minNodes), addRow(m_backend)};
    connect(m_workers, &QComboBox::currentTextChanged, this, &PlaceSection::tellEdited);
    connect(m_backend, &QComboBox::activated, this, &PlaceSection::tellEdited);
    connect(m_devices, &DevicePicker::edited, this, &PlaceSection::tellEdited);
    connect(m_minNodes, &QSpinBox::valueChanged, this, [this](int count) {
        if (!m_isLoading && m_maxNodes->value() < count)
            m_maxNodes->setValue(count);
    });
    translated(this, [this] { setTexts(); });
}

void PlaceSection::load(const JobSpec& spec, size_t role)
{
    m_isLoading = true;
    const QString count = QString::fromStdString(workerCountText(spec.roles[role].workers));
    const int known = m_workers->findData(count);
    if (known >= 0)
        m_workers->setCurrentIndex(known);
    else
        m_workers->setEditText(count);
    m_minNodes->setValue(spec.nodes.min);
    m_maxNodes->setValue(spec.nodes.max);
    m_devices->setChosen(spec.roles[role].devices);
    const QString backend = QString::fromStdString(spec.backendHint);
    if (m_backend->findData(backend) < 0)
        m_backend->addItem(backend, backend);
    m_backend->setCurrentIndex(m_backend->findData(backend));
    m_isLoading = false;
}

void PlaceSection::store(JobSpec& spec, size_t role) const
{
    const int chosen = m_workers->findText(m_workers->currentText());
    const QString typed =
        chosen >= 0 ? m_workers->itemData(chosen).toString() : m_workers->currentText().trimmed();
    // What isn't a count stays visible in the form and is one for the checks: 0 workers.
    spec.roles[role].workers =
        parseWorkerCount(typed.toStdString()).value_or(WorkerCount{WorkerCount::Kind::Number, 0});
    spec.nodes = {m_minNodes->value(), m_maxNodes->value()};
    spec.roles[role].devices = m_devices->chosen();
    spec.backendHint = m_backend->currentData().toString().toStdString();
}

void PlaceSection::setFacts(const MachineFacts& facts)
{
    m_counts = facts.counts;
    m_devices->setDevices(facts.devices);
    setTexts();
}

QWidget* PlaceSection::fieldWidget(const QString& key) const
{
    if (key == QLatin1String("workers"))
        return m_workers;
    if (key == QLatin1String("nodes"))
        return m_minNodes;
    if (key == QLatin1String("devices"))
        return m_devices;
    return key == QLatin1String("backend") ? m_backend : nullptr;
}

void PlaceSection::setTexts()
{
    m_isLoading = true;
    setTitle(tr("Where"));
    label(m_labels[0], m_workers, tr("Workers per node"));
    label(m_labels[1], m_devices, tr("GPUs"));
    label(m_labels[2], m_minNodes, tr("Nodes"));
    label(m_labels[3], m_backend, tr("Backend"));
    m_maxNodes->setAccessibleName(tr("Nodes at most"));
    m_to->setText(tr("to"));
    const int chosen = m_workers->findText(m_workers->currentText());
    m_workers->setItemText(0, m_counts.gpus > 0 ? tr("auto (%n GPUs)", nullptr, m_counts.gpus)
                                                : tr("auto (%n CPUs)", nullptr, m_counts.cpus));
    m_workers->setItemText(1, tr("one per GPU"));
    m_workers->setItemText(2, tr("one per CPU"));
    if (chosen >= 0)
        m_workers->setCurrentIndex(chosen);
    m_backend->setItemText(0, tr("decided by the program"));
    m_isLoading = false;
}

} // namespace ringmaster::app
