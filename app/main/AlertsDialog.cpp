#include "app/main/AlertsDialog.h"

#include "app/widget/Card.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ringmaster::app {

AlertsDialog::AlertsDialog(AlertRules& rules, QStringList jobs, const QString& job, QWidget* parent)
    : QDialog(parent)
    , m_rules(rules)
    , m_jobs(new QComboBox(this))
    , m_asAll(new QCheckBox(tr("As for all jobs"), this))
    , m_notifies(new QCheckBox(tr("Desktop notification"), this))
    , m_sounds(new QCheckBox(tr("Sound"), this))
    , m_command(new QLineEdit(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("alerts"));
    setWindowTitle(tr("Alerts"));
    setMinimumWidth(560);
    m_causes = {{AlertCause::Hangs, new QCheckBox(tr("it hangs"), this)},
                {AlertCause::Fails, new QCheckBox(tr("it fails"), this)},
                {AlertCause::Slows, new QCheckBox(tr("it slows"), this)},
                {AlertCause::Finishes, new QCheckBox(tr("it finishes"), this)}};
    jobs.removeAll(QString());
    jobs.removeDuplicates();
    jobs.sort(Qt::CaseInsensitive);
    m_jobs->addItem(tr("All jobs"));
    for (const QString& name : jobs)
        m_jobs->addItem(name, name);
    build();
    // The job in sight has a rule of its own: that is the one that counts for it.
    if (!job.isEmpty() && m_rules.ofJob(job))
        m_jobs->setCurrentIndex(std::max(0, m_jobs->findData(job)));
    load();
    connect(m_jobs, &QComboBox::currentIndexChanged, this, [this] {
        remember();
        load();
    });
    connect(m_asAll, &QCheckBox::toggled, this, [this](bool asAll) {
        if (asAll)
            show(ruleOfAll());
        update();
    });
}

void AlertsDialog::build()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(18);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(14);
    form->addRow(tr("Jobs"), column({m_jobs, m_asAll}));
    m_jobs->setAccessibleName(tr("Jobs"));
    std::vector<QWidget*> causes;
    for (const Cause& cause : m_causes)
        causes.push_back(cause.box);
    m_command->setAccessibleName(tr("Command"));
    m_command->setPlaceholderText(
        QStringLiteral("curl -d \"$RINGMASTER_JOB: $RINGMASTER_STATE\" …"));
    m_fields = {column(causes),
                column({m_notifies, hint(tr("Comes while the window isn't in use.")), m_sounds}),
                column({m_command, hint(tr("It has RINGMASTER_ALERT_RUN, RINGMASTER_JOB, "
                                           "RINGMASTER_STATE and RINGMASTER_CAUSE in its "
                                           "environment."))})};
    for (size_t i = 0; const QString& title : {tr("Tell me when"), tr("By"), tr("Command")})
        form->addRow(title, m_fields[i++]);
    layout->addLayout(form);
    layout->addStretch();
    auto* tryIt = new QPushButton(tr("Try it"), this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    QPushButton* saving = buttons->button(QDialogButtonBox::Save);
    saving->setText(tr("Save"));
    saving->setDefault(true);
    setLook(saving, "primary");
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    auto* row = new QHBoxLayout;
    row->addWidget(tryIt);
    row->addWidget(buttons, 1);
    layout->addLayout(row);
    tryIt->setAutoDefault(false);
    connect(tryIt, &QPushButton::clicked, this, [this] { Q_EMIT tried(job(), rule()); });
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        save();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QWidget* AlertsDialog::column(const std::vector<QWidget*>& widgets)
{
    auto* place = new QWidget(this);
    auto* lines = new QVBoxLayout(place);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(6);
    for (QWidget* widget : widgets)
        lines->addWidget(widget);
    return place;
}

QLabel* AlertsDialog::hint(const QString& text)
{
    auto* label = new QLabel(text, this);
    label->setWordWrap(true);
    setLook(label, "muted");
    return label;
}

QString AlertsDialog::job() const
{
    return m_jobs->currentData().toString();
}

AlertRule AlertsDialog::rule() const
{
    AlertRule rule{.causes = {},
                   .notifies = m_notifies->isChecked(),
                   .sounds = m_sounds->isChecked(),
                   .command = m_command->text().trimmed()};
    for (const Cause& cause : m_causes) {
        if (cause.box->isChecked())
            rule.causes.insert(cause.cause);
    }
    return rule;
}

void AlertsDialog::show(const AlertRule& rule)
{
    for (const Cause& cause : m_causes)
        cause.box->setChecked(rule.causes.contains(cause.cause));
    m_notifies->setChecked(rule.notifies);
    m_sounds->setChecked(rule.sounds);
    m_command->setText(rule.command);
}

AlertRule AlertsDialog::ruleOfAll() const
{
    const auto edited = m_edited.find(QString());
    return edited != m_edited.end() && edited->second ? *edited->second : m_rules.ofAll();
}

void AlertsDialog::load()
{
    m_shown = job();
    const auto edited = m_edited.find(m_shown);
    const auto own = edited != m_edited.end() ? edited->second
                     : m_shown.isEmpty()      ? std::nullopt
                                              : m_rules.ofJob(m_shown);
    m_asAll->setChecked(!own);
    show(own.value_or(ruleOfAll()));
    update();
}

void AlertsDialog::remember()
{
    const bool isOwn = m_shown.isEmpty() || !m_asAll->isChecked();
    m_edited[m_shown] = isOwn ? std::optional(rule()) : std::nullopt;
}

void AlertsDialog::save()
{
    remember();
    for (const auto& [job, rule] : m_edited) {
        if (job.isEmpty())
            m_rules.setOfAll(*rule);
        else
            m_rules.setOfJob(job, rule);
    }
}

void AlertsDialog::update()
{
    m_asAll->setVisible(!job().isEmpty());
    for (QWidget* field : m_fields)
        field->setEnabled(job().isEmpty() || !m_asAll->isChecked());
}

} // namespace ringmaster::app
