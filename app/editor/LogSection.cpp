#include "app/editor/LogSection.h"

#include "app/widget/Translated.h"

#include <QCheckBox>
#include <QComboBox>
#include <QIntValidator>
#include <QLineEdit>

#include <optional>

namespace ringmaster::app {

namespace {

constexpr int Masks = 4; ///< torchrun's 0 to 3
constexpr int MostPort = 65'535;

/// One that is too large is for the checks to name.
std::optional<int> portOf(const QString& text)
{
    bool isNumber = false;
    const int port = text.trimmed().toInt(&isNumber);
    return isNumber ? std::optional(port) : std::nullopt;
}

void applySelection(const QComboBox& box, StreamSelection& selection)
{
    // The fifth item stands for a selection a rank, which this form doesn't change.
    if (box.currentIndex() < Masks)
        selection = {.all = static_cast<std::uint8_t>(box.currentIndex()), .byLocalRank = {}};
}

} // namespace

LogSection::LogSection(QWidget* parent)
    : FormSection(parent)
    , m_folder(new QLineEdit(this))
    , m_redirects(new QComboBox(this))
    , m_tee(new QComboBox(this))
    , m_linePrefix(new QLineEdit(this))
    , m_metrics(new QLineEdit(this))
    , m_plain(new QCheckBox(this))
{
    for (QComboBox* box : {m_redirects, m_tee}) {
        for (int mask = 0; mask < Masks; ++mask)
            box->addItem(QString());
        connect(box, &QComboBox::activated, this, &LogSection::tellEdited);
    }
    m_metrics->setValidator(new QIntValidator(0, MostPort, m_metrics));
    m_labels = {addRow(m_folder),     addRow(m_redirects), addRow(m_tee),
                addRow(m_linePrefix), addRow(m_metrics),   addRow(m_plain)};
    for (QLineEdit* field : {m_folder, m_linePrefix, m_metrics})
        connect(field, &QLineEdit::textEdited, this, &LogSection::tellEdited);
    connect(m_plain, &QCheckBox::toggled, this, &LogSection::tellEdited);
    setFields({{"logs.redirects", m_redirects},
               {"logs.tee", m_tee},
               {"logs.line_prefix", m_linePrefix},
               {"metrics", m_metrics},
               {"logs", m_folder}});
    translated(this, [this] { setTexts(); });
}

void LogSection::load(const JobSpec& spec, size_t /*role*/)
{
    m_isLoading = true;
    m_folder->setText(QString::fromStdString(spec.logs.folder));
    showSelection(*m_redirects, spec.logs.redirects);
    showSelection(*m_tee, spec.logs.tee);
    m_linePrefix->setText(QString::fromStdString(spec.logs.linePrefix));
    if (portOf(m_metrics->text()) != spec.metricsPort)
        m_metrics->setText(spec.metricsPort ? QString::number(*spec.metricsPort) : QString());
    m_plain->setChecked(spec.plain);
    m_isLoading = false;
}

void LogSection::showSelection(QComboBox& box, const StreamSelection& selection) const
{
    if (!selection.byLocalRank.empty() && box.count() == Masks)
        box.addItem(tr("a choice for each rank (from the file)"));
    if (selection.byLocalRank.empty() && box.count() > Masks)
        box.removeItem(Masks);
    box.setCurrentIndex(selection.byLocalRank.empty() ? selection.all % Masks : Masks);
}

void LogSection::store(JobSpec& spec, size_t /*role*/) const
{
    spec.logs.folder = m_folder->text().trimmed().toStdString();
    applySelection(*m_redirects, spec.logs.redirects);
    applySelection(*m_tee, spec.logs.tee);
    spec.logs.linePrefix = m_linePrefix->text().toStdString();
    spec.metricsPort = portOf(m_metrics->text());
    spec.plain = m_plain->isChecked();
}

void LogSection::setTexts()
{
    setTitle(tr("Output"));
    label(m_labels[0], m_folder, tr("Log folder"));
    label(m_labels[1], m_redirects, tr("Only to files"));
    label(m_labels[2], m_tee, tr("Files and console"));
    label(m_labels[3], m_linePrefix, tr("Before each line"));
    m_linePrefix->setPlaceholderText(QStringLiteral("[${role_name}${local_rank}]:"));
    m_linePrefix->setToolTip(tr("Of lines that go to files and console; ${rank}, ${local_rank}, "
                                "${role_name} and ${hostname} are replaced."));
    label(m_labels[4], m_metrics, tr("Metrics port"));
    m_metrics->setPlaceholderText(tr("none"));
    m_metrics->setToolTip(tr("Port of 127.0.0.1 where Prometheus finds the run's metrics while it "
                             "goes on (--metrics); 0: a free one. Every user of that machine can "
                             "read them."));
    m_labels[5]->setText(tr("Environment"));
    m_folder->setPlaceholderText(tr("in the run's own folder"));
    for (QComboBox* box : {m_redirects, m_tee}) {
        box->setItemText(0, tr("nothing"));
        box->setItemText(1, tr("standard output"));
        box->setItemText(2, tr("standard error"));
        box->setItemText(3, tr("both streams"));
    }
    m_plain->setText(tr("As torchrun (--plain)"));
    m_plain->setToolTip(tr("Add nothing that torchrun doesn't"));
}

} // namespace ringmaster::app
