#include "app/editor/PlaceSection.h"

#include "app/editor/DevicePicker.h"
#include "app/editor/HostsPlace.h"
#include "app/editor/MachinePlace.h"
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
    connect(m_runOn, &QComboBox::activated, this, &PlaceSection::placeChosen);
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
    // Beside the stack, which is as high as the highest text that it could show.
    m_machine = new MachinePlace;
    form().addRow(m_machine);
    for (QLabel* name :
         {addRow(m_workers), addRow(m_devices), addRow(nodes, m_minNodes), addRow(m_backend)})
        m_labels.push_back(name);
    addPlace(new ThisMachine);
    addPlace(new HostsPlace);
    addPlace(new SlurmPlace);
    showPlace(0);
}

void PlaceSection::addPlace(RunPlace* place)
{
    m_places.push_back(place);
    m_runOn->addItem(QString());
    m_placeFields->addWidget(place);
    connect(place, &RunPlace::edited, this, &PlaceSection::tellEdited);
    connect(place, &RunPlace::preflightRequested, this, &PlaceSection::preflightRequested);
}

void PlaceSection::placeChosen(int index)
{
    m_isFresh = false;
    showPlace(index);
    m_lastMachine = machine();
    tellEdited();
}

/// Null where the job says something that no row stands for.
RunPlace* PlaceSection::placeAt(int index) const
{
    if (index < 0)
        return nullptr;
    const auto row = static_cast<size_t>(index);
    return row < m_places.size() ? m_places[row] : m_machine;
}

std::string PlaceSection::machine() const
{
    const int row = m_runOn->currentIndex() - static_cast<int>(m_places.size());
    return row < 0 ? std::string() : m_machines[static_cast<size_t>(row)].name;
}

/// -1: there is none.
int PlaceSection::rowOf(const std::string& machine) const
{
    const auto found = std::ranges::find(m_machines, machine, &Host::name);
    return found == m_machines.end()
               ? -1
               : static_cast<int>(m_places.size()) + static_cast<int>(found - m_machines.begin());
}

void PlaceSection::begin(bool isFresh)
{
    m_isFresh = isFresh;
    showPlace(0);
    goElsewhere();
}

void PlaceSection::setLastMachine(const std::optional<std::string>& machine)
{
    m_lastMachine = machine;
    if (goElsewhere())
        tellEdited();
}

/// True: a job that says nothing yet is for another machine now.
bool PlaceSection::goElsewhere()
{
    if (!m_isFresh || !m_isLaptop || m_machines.empty())
        return false;
    const int row = rowOf(m_lastMachine.value_or(m_machines.front().name));
    if (row < 0 || row == m_runOn->currentIndex())
        return false;
    showPlace(row);
    return true;
}

/// The stack is as high as what it shows, and isn't there where that has no fields.
void PlaceSection::showPlace(int index)
{
    m_runOn->setCurrentIndex(index);
    RunPlace* place = placeAt(index);
    if (place != nullptr && place == m_machine)
        m_machine->setMachine(m_machines[static_cast<size_t>(index) - m_places.size()]);
    const bool isStacked = place != nullptr && place != m_machine;
    m_placeFields->setCurrentWidget(isStacked ? place : m_places.front());
    for (int i = 0; i < m_placeFields->count(); ++i)
        m_placeFields->widget(i)->setSizePolicy(
            QSizePolicy::Preferred,
            m_placeFields->widget(i) == place ? QSizePolicy::Preferred : QSizePolicy::Ignored);
    form().setRowVisible(m_placeFields, isStacked && place->hasFields());
    form().setRowVisible(m_machine, place != nullptr && place == m_machine);
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
    const std::string chosen = machine();
    m_machines.clear();
    std::ranges::copy_if(hosts, std::back_inserter(m_machines),
                         [](const Host& host) { return !host.isHere(); });
    const QSignalBlocker blocker(m_runOn);
    const int before = m_runOn->currentIndex();
    while (m_runOn->count() > static_cast<int>(m_places.size()))
        m_runOn->removeItem(m_runOn->count() - 1);
    for (const Host& host : m_machines)
        m_runOn->addItem(MachinePlace::titleOf(host.name));
    // One that has gone from the book is no place any more.
    showPlace(chosen.empty() ? before : std::max(rowOf(chosen), 0));
    if (machine() != chosen)
        tellEdited();
    if (goElsewhere())
        tellEdited();
}

void PlaceSection::load(const JobSpec& spec, size_t role)
{
    m_isLoading = true;
    const auto place =
        std::ranges::find_if(m_places, [&](const RunPlace* each) { return each->holds(spec); });
    const int row = place != m_places.end() ? static_cast<int>(place - m_places.begin()) : -1;
    const bool staysThere = placeAt(m_runOn->currentIndex()) == m_machine && m_machine->holds(spec);
    for (RunPlace* each : m_places)
        each->load(spec);
    m_devices->setChosen(spec.roles[role].devices);
    // Where none does, the job keeps what it says.
    showPlace(staysThere ? m_runOn->currentIndex() : row);
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
    const RunPlace* chosenPlace = placeAt(m_runOn->currentIndex());
    for (const RunPlace* place : m_places)
        if (chosenPlace != nullptr && place != chosenPlace)
            place->clear(spec);
    if (chosenPlace != nullptr)
        chosenPlace->store(spec);
    spec.nodes = {m_minNodes->value(), m_maxNodes->value()};
    spec.roles[role].devices = m_devices->chosen();
    spec.backendHint = m_backend->currentData().toString().toStdString();
}

void PlaceSection::setFacts(const LocalFacts& facts)
{
    m_counts = facts.counts;
    m_isLaptop = facts.hasBattery;
    m_devices->setDevices(facts.devices);
    for (RunPlace* place : m_places)
        place->setFacts(facts);
    setTexts();
    if (goElsewhere())
        tellEdited();
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
    for (size_t i = 0; i < m_machines.size(); ++i)
        m_runOn->setItemText(static_cast<int>(m_places.size() + i),
                             MachinePlace::titleOf(m_machines[i].name));
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
