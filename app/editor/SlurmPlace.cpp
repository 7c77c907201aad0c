#include "app/editor/SlurmPlace.h"

#include "app/widget/FieldText.h"
#include "app/widget/Translated.h"
#include "app/widget/WarningLabel.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>

namespace ringmaster::app {

SlurmPlace::SlurmPlace(QWidget* parent)
    : RunPlace(parent)
    , m_missing(new WarningLabel(this))
    , m_partition(new QLineEdit(this))
    , m_account(new QLineEdit(this))
    , m_time(new QLineEdit(this))
    , m_gpus(new QSpinBox(this))
    , m_options(new QPlainTextEdit(this))
{
    build();
    for (QLineEdit* field : {m_partition, m_account, m_time})
        connect(field, &QLineEdit::textEdited, this, &RunPlace::edited);
    connect(m_gpus, &QSpinBox::valueChanged, this, &RunPlace::edited);
    connect(m_options, &QPlainTextEdit::textChanged, this, &RunPlace::edited);
    setFields({{"slurm.partition", m_partition},
               {"slurm.account", m_account},
               {"slurm.time", m_time},
               {"slurm.gpus_per_node", m_gpus},
               {"slurm.options", m_options}});
    translated(this, [this] { setTexts(); });
}

void SlurmPlace::build()
{
    m_gpus->setRange(0, 1024);
    dressLines(*m_options, 62);
    form().addRow(static_cast<QWidget*>(nullptr), m_missing);
    form().setRowVisible(m_missing, false);
    m_labels = {addRow(m_partition), addRow(m_account), addRow(m_time), addRow(m_gpus),
                addRow(m_options)};
}

QString SlurmPlace::title() const
{
    return tr("Slurm");
}

bool SlurmPlace::holds(const JobSpec& spec) const
{
    return spec.runOn == RunOn::Slurm;
}

void SlurmPlace::load(const JobSpec& spec)
{
    m_partition->setText(QString::fromStdString(spec.slurm.partition));
    m_account->setText(QString::fromStdString(spec.slurm.account));
    m_time->setText(QString::fromStdString(spec.slurm.time));
    m_gpus->setValue(spec.slurm.gpusPerNode);
    showLines(*m_options, spec.slurm.options);
}

void SlurmPlace::store(JobSpec& spec) const
{
    spec.runOn = RunOn::Slurm;
    spec.slurm = {.partition = m_partition->text().trimmed().toStdString(),
                  .account = m_account->text().trimmed().toStdString(),
                  .time = m_time->text().trimmed().toStdString(),
                  .gpusPerNode = m_gpus->value(),
                  .options = linesIn(*m_options)};
}

void SlurmPlace::setFacts(const LocalFacts& facts)
{
    form().setRowVisible(m_missing, !facts.hasSbatch);
}

void SlurmPlace::setTexts()
{
    label(m_labels[0], m_partition, tr("Partition"));
    label(m_labels[1], m_account, tr("Account"));
    label(m_labels[2], m_time, tr("Time limit"));
    label(m_labels[3], m_gpus, tr("GPUs a node"));
    label(m_labels[4], m_options, tr("More for sbatch"));
    m_partition->setPlaceholderText(tr("the cluster's usual one"));
    m_account->setPlaceholderText(tr("your usual one"));
    m_time->setPlaceholderText(tr("90, 4:00:00, 2-12: the partition's, if empty"));
    m_gpus->setSpecialValueText(tr("as the workers need"));
    m_options->setPlaceholderText(tr("--constraint=a100, one a line"));
    m_missing->setText(tr("sbatch isn't on this machine: start Ringmaster on a login node of the "
                          "cluster (Debian: slurm-client). The job can be saved all the same."));
}

} // namespace ringmaster::app
