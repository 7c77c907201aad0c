#include "app/editor/PlaceSection.h"

#include "app/editor/DevicePicker.h"
#include "app/editor/HostsPlace.h"
#include "app/editor/SlurmPlace.h"
#include "app/widget/Card.h"
#include "app/widget/Translated.h"
#include "engine/job/JobOptions.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

/// What may stand in the combo box: its data, and its text where that is something else.
constexpr const char* NamedCounts[] = {"auto", "gpu", "cpu"};
constexpr int PlainCounts[] = {1, 2, 3, 4, 8};

} // namespace

PlaceSection::PlaceSection(QWidget* parent)
    : FormSection(parent)
    , m_runOn(new QComboBox(this))
    , m_placeFields(new QStackedWidget(this))
    , m_workers(new QComboBox(this))
    , m_minNodes(new QSpinBox(this))
    , m_maxNodes(new QSpinBox(this))
    , m_to(new QLabel(this))
    , m_devices(new DevicePicker(this))
    , m_backend(new QComboBox(this))
{
    build();
    connect(m_runOn, &QComboBox::activated, this, [this](int index) {
        showPlace(index);
        tellEdited();
    });
    connect(m_workers, &QComboBox::currentTextChanged, this, &PlaceSection::tellEdited);
    connect(m_backend, &QComboBox::activated, this, &PlaceSection::tellEdited);
    connect(m_devices, &DevicePicker::edited, this, &PlaceSection::tellEdited);
    connect(m_minNodes, &QSpinBox::valueChanged, this, [this](int count) {
        if (!m_isLoading && m_maxNodes->value() < count)
            m_maxNodes->setValue(count);
    });
    setFields({{"workers", m_workers},
               {"nodes", m_minNodes},
               {"devices", m_devices},
               {"backend", m_backend},
               {"run_on", m_runOn}});
    translated(this, [this] { setTexts(); });
}

void PlaceSection::build()
{
    m_workers->setEditable(true);
    m_workers->setInsertPolicy(QComboBox::NoInsert);
    for (const char* name : NamedCounts)
        m_workers->addItem(QString(), QString::fromLatin1(name));
    for (const int count : PlainCounts)
        m_workers->addItem(QString::number(count), QString::number(count));
    m_backend->addItem(QString(), QString());
    for (const std::string& name : choicesOf("backend"))
        m_backend->addItem(QString::fromStdString(name), QString::fromStdString(name));
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
    m_labels = {addRow(m_runOn)};
    form().addRow(m_placeFields);
    for (QLabel* name :
         {addRow(m_workers), addRow(m_devices), addRow(nodes, m_minNodes), addRow(m_backend)})
        m_labels.push_back(name);
    addPlace(new ThisMachine);
    addPlace(new HostsPlace);
    addPlace(new SlurmPlace);
}

void PlaceSection::addPlace(RunPlace* place)
{
    m_places.push_back(place);
    m_runOn->addItem(QString());
    m_placeFields->addWidget(place);
    connect(place, &RunPlace::edited, this, &PlaceSection::tellEdited);
    connect(place, &RunPlace::preflightRequested, this, &PlaceSection::preflightRequested);
    showPlace(0);
}

/// The stack is as high as what it shows, and isn't there where that has no fields.
void PlaceSection::showPlace(int index)
{
    m_runOn->setCurrentIndex(index);
    m_placeFields->setCurrentIndex(std::max(index, 0));
    for (int i = 0; i < m_placeFields->count(); ++i)
        m_placeFields->widget(i)->setSizePolicy(
            QSizePolicy::Preferred, i == index ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    form().setRowVisible(m_placeFields,
                         index >= 0 && m_places[static_cast<size_t>(index)]->hasFields());
    m_placeFields->updateGeometry();
    // The GPUs of this machine are nobody else's; what is chosen stays visible.
    form().setRowVisible(m_devices, !isElsewhere() || !m_devices->chosen().empty());
    setTexts();
}

bool PlaceSection::isElsewhere() const
{
    return m_runOn->currentIndex() > 0;
}

void PlaceSection::setHosts(const std::vector<Host>& hosts)
{
    for (RunPlace* place : m_places)
        place->setHosts(hosts);
}

void PlaceSection::load(const JobSpec& spec, size_t role)
{
    m_isLoading = true;
    const auto place =
        std::ranges::find_if(m_places, [&](const RunPlace* each) { return each->holds(spec); });
    for (RunPlace* each : m_places)
        each->load(spec);
    m_devices->setChosen(spec.roles[role].devices);
    // Where none does, the job keeps what it says.
    showPlace(place != m_places.end() ? static_cast<int>(place - m_places.begin()) : -1);
    const QString count = QString::fromStdString(workerCountText(spec.roles[role].workers));
    const int known = m_workers->findData(count);
    if (known >= 0)
        m_workers->setCurrentIndex(known);
    else
        m_workers->setEditText(count);
    m_minNodes->setValue(spec.nodes.min);
    m_maxNodes->setValue(spec.nodes.max);
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
    const int chosenPlace = m_runOn->currentIndex();
    for (int i = 0; chosenPlace >= 0 && i < m_runOn->count(); ++i)
        if (i != chosenPlace)
            m_places[static_cast<size_t>(i)]->clear(spec);
    if (chosenPlace >= 0)
        m_places[static_cast<size_t>(chosenPlace)]->store(spec);
    spec.nodes = {m_minNodes->value(), m_maxNodes->value()};
    spec.roles[role].devices = m_devices->chosen();
    spec.backendHint = m_backend->currentData().toString().toStdString();
}

void PlaceSection::setFacts(const LocalFacts& facts)
{
    m_counts = facts.counts;
    m_devices->setDevices(facts.devices);
    for (RunPlace* place : m_places)
        place->setFacts(facts);
    setTexts();
}

QWidget* PlaceSection::fieldWidget(const QString& key) const
{
    for (const RunPlace* place : m_places)
        if (QWidget* field = place->fieldWidget(key))
            return field;
    return FormSection::fieldWidget(key);
}

void PlaceSection::setTexts()
{
    const bool wasLoading = std::exchange(m_isLoading, true);
    setTitle(tr("Where"));
    label(m_labels[0], m_runOn, tr("Run on"));
    m_runOn->setPlaceholderText(tr("as the job file says"));
    label(m_labels[1], m_workers, tr("Workers per node"));
    label(m_labels[2], m_devices, tr("GPUs"));
    label(m_labels[3], m_minNodes, tr("Nodes"));
    label(m_labels[4], m_backend, tr("Backend"));
    for (size_t i = 0; i < m_places.size(); ++i)
        m_runOn->setItemText(static_cast<int>(i), m_places[i]->title());
    m_maxNodes->setAccessibleName(tr("Nodes at most"));
    m_to->setText(tr("to"));
    const int chosen = m_workers->findText(m_workers->currentText());
    m_workers->setItemText(0, isElsewhere()       ? tr("auto: one per GPU or CPU of each node")
                              : m_counts.gpus > 0 ? tr("auto (%n GPUs)", nullptr, m_counts.gpus)
                                                  : tr("auto (%n CPUs)", nullptr, m_counts.cpus));
    m_workers->setItemText(1, tr("one per GPU"));
    m_workers->setItemText(2, tr("one per CPU"));
    if (chosen >= 0)
        m_workers->setCurrentIndex(chosen);
    m_backend->setItemText(0, tr("decided by the program"));
    m_isLoading = wasLoading;
}

} // namespace ringmaster::app
