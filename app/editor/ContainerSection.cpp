#include "app/editor/ContainerSection.h"

#include "app/widget/FieldText.h"
#include "app/widget/Translated.h"
#include "app/widget/WarningLabel.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <algorithm>

namespace ringmaster::app {

namespace {

/// What `container.engine` may say, and what it is called.
constexpr std::pair<const char*, const char*> Engines[] = {{"", ""},
                                                           {"podman", "Podman"},
                                                           {"docker", "Docker"},
                                                           {"apptainer", "Apptainer"},
                                                           {"charliecloud", "Charliecloud"}};

QString engineName(const QString& engine)
{
    for (const auto& [key, name] : Engines)
        if (engine == QLatin1String(key))
            return QLatin1String(name);
    return engine;
}

} // namespace

ContainerSection::ContainerSection(QWidget* parent)
    : FormSection(parent)
    , m_image(new QLineEdit(this))
    , m_engine(new QComboBox(this))
    , m_missing(new WarningLabel(this))
    , m_mounts(addList())
    , m_devices(addList())
    , m_options(addList())
{
    for (const auto& [key, name] : Engines)
        m_engine->addItem(QString(), QLatin1String(key));
    m_labels = {addRow(m_image), addRow(m_engine)};
    form().addRow(static_cast<QWidget*>(nullptr), m_missing);
    for (QWidget* list : {m_mounts, m_devices, m_options})
        m_labels.push_back(addRow(list));
    connect(m_image, &QLineEdit::textEdited, this, [this] {
        showRows();
        tellEdited();
    });
    connect(m_engine, &QComboBox::activated, this, [this] {
        showRows();
        tellEdited();
    });
    setFields({{"image", m_image},
               {"container.engine", m_engine},
               {"container.mounts", m_mounts},
               {"container.devices", m_devices},
               {"container.options", m_options}});
    translated(this, [this] { setTexts(); });
}

QPlainTextEdit* ContainerSection::addList()
{
    auto* list = new QPlainTextEdit(this);
    dressLines(*list, 44);
    connect(list, &QPlainTextEdit::textChanged, this, &ContainerSection::tellEdited);
    return list;
}

void ContainerSection::load(const JobSpec& spec, size_t role)
{
    m_isLoading = true;
    m_inherited = role == 0 ? std::string() : spec.roles.front().image;
    m_isElsewhere = spec.isLed();
    m_image->setText(QString::fromStdString(spec.roles[role].image));
    const QString engine = QString::fromStdString(spec.container.engine);
    if (m_engine->findData(engine) < 0)
        m_engine->addItem(engine, engine);
    m_engine->setCurrentIndex(m_engine->findData(engine));
    showLines(*m_mounts, spec.container.mounts);
    showLines(*m_devices, spec.container.devices);
    showLines(*m_options, spec.container.options);
    setTexts();
    m_isLoading = false;
}

void ContainerSection::store(JobSpec& spec, size_t role) const
{
    spec.roles[role].image = m_image->text().trimmed().toStdString();
    spec.container = {.engine = m_engine->currentData().toString().toStdString(),
                      .mounts = linesIn(*m_mounts),
                      .devices = linesIn(*m_devices),
                      .options = linesIn(*m_options)};
}

void ContainerSection::setFacts(const LocalFacts& facts)
{
    m_engines = facts.containerEngines;
    setTexts();
}

void ContainerSection::jobChanged(const JobSpec& spec)
{
    m_isElsewhere = spec.isLed();
    setTexts();
}

void ContainerSection::showRows()
{
    const bool hasSettings = m_engine->currentIndex() > 0 || !linesIn(*m_mounts).empty() ||
                             !linesIn(*m_devices).empty() || !linesIn(*m_options).empty();
    const bool hasImage = !m_image->text().trimmed().isEmpty() || !m_inherited.empty();
    for (QWidget* field : {static_cast<QWidget*>(m_engine), static_cast<QWidget*>(m_mounts),
                           static_cast<QWidget*>(m_devices), static_cast<QWidget*>(m_options)})
        form().setRowVisible(field, hasImage || hasSettings);
    const std::string engine = m_engine->currentData().toString().toStdString();
    const bool isHere = engine.empty() ? !m_engines.empty()
                                       : std::ranges::find(m_engines, engine) != m_engines.end();
    form().setRowVisible(m_missing, hasImage && !m_isElsewhere && !isHere);
}

QString ContainerSection::engineText(const QString& engine) const
{
    if (engine.isEmpty() && m_isElsewhere)
        return tr("the first that is found there");
    if (engine.isEmpty())
        return m_engines.empty() ? tr("the first that is found")
                                 : tr("the first that is found: %1")
                                       .arg(engineName(QString::fromStdString(m_engines.front())));
    const bool isHere = std::ranges::find(m_engines, engine.toStdString()) != m_engines.end();
    return isHere || m_isElsewhere ? engineName(engine)
                                   : tr("%1 (not here)").arg(engineName(engine));
}

void ContainerSection::setTexts()
{
    setTitle(tr("Container"));
    label(m_labels[0], m_image, tr("Image"));
    label(m_labels[1], m_engine, tr("Engine"));
    label(m_labels[2], m_mounts, tr("Mounts"));
    label(m_labels[3], m_devices, tr("Devices"));
    label(m_labels[4], m_options, tr("More for the engine"));
    m_image->setPlaceholderText(
        m_inherited.empty() ? tr("none: the workers run as they are")
                            : tr("as the first role: %1").arg(QString::fromStdString(m_inherited)));
    for (int row = 0; row < m_engine->count(); ++row)
        m_engine->setItemText(row, engineText(m_engine->itemData(row).toString()));
    m_missing->setText(
        tr("This engine isn't on this machine. Install one (Debian: podman), or choose "
           "another."));
    m_mounts->setPlaceholderText(tr("/data:/data:ro, one a line"));
    m_mounts->setToolTip(tr("Beside the folders of the job and of its logs, which are mounted at "
                            "the same paths"));
    m_devices->setPlaceholderText(tr("/dev/infiniband, one a line"));
    m_devices->setToolTip(tr("Beside the GPUs, which come with the job's"));
    m_options->setPlaceholderText(tr("--shm-size=8g, one a line"));
    m_options->setToolTip(tr("The network, the shared memory and the environment are the host's in "
                             "any case"));
    showRows();
}

} // namespace ringmaster::app
