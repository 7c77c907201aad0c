#include "app/hosts/ImportDialog.h"

#include "app/bridge/Messages.h"
#include "app/widget/Card.h"
#include "app/widget/FieldText.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace ringmaster::app {

ImportDialog::ImportDialog(QWidget* parent)
    : QDialog(parent)
    , m_text(new QLabel(tr("Reading ~/.ssh/config…"), this))
    , m_names(new QListWidget(this))
    , m_groups(new QLineEdit(this))
    , m_slots(new QSpinBox(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Cancel, this))
{
    setWindowTitle(tr("Import from ~/.ssh/config"));
    setMinimumSize(440, 420);
    m_buttons->addButton(tr("Import"), QDialogButtonBox::AcceptRole)
        ->setObjectName(QStringLiteral("import"));
    m_buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    m_text->setWordWrap(true);
    m_names->setAccessibleName(tr("Hosts of ~/.ssh/config"));
    m_groups->setPlaceholderText(tr("lab, gpu"));
    m_groups->setAccessibleName(tr("Groups"));
    m_slots->setRange(0, 4096);
    m_slots->setSpecialValueText(tr("as many as the job says"));
    m_slots->setAccessibleName(tr("Slots"));
    auto* form = new QFormLayout;
    form->addRow(tr("Groups"), m_groups);
    form->addRow(tr("Slots"), m_slots);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    layout->addWidget(m_names, 1);
    layout->addLayout(form);
    layout->addWidget(m_buttons);
    connect(m_names, &QListWidget::itemChanged, this, &ImportDialog::update);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    update();
}

void ImportDialog::setNames(const Result<std::vector<std::string>>& names)
{
    if (!names) {
        m_text->setText(text(names.error()));
        return;
    }
    m_text->setText(names->empty()
                        ? tr("There is no host in ~/.ssh/config that isn't in the list already. "
                             "Patterns such as *.lab stand for no single host.")
                        : tr("Choose the hosts that jobs may run on:"));
    for (const std::string& name : *names) {
        auto* item = new QListWidgetItem(QString::fromStdString(name), m_names);
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
    }
    m_names->setCurrentRow(0);
    m_names->setFocus();
    update();
}

std::vector<Host> ImportDialog::hosts() const
{
    std::vector<Host> hosts;
    for (int row = 0; row < m_names->count(); ++row) {
        const QListWidgetItem* item = m_names->item(row);
        if (item->checkState() == Qt::Checked)
            hosts.push_back({.name = item->text().toStdString(),
                             .slots = m_slots->value(),
                             .groups = listIn(m_groups->text())});
    }
    return hosts;
}

void ImportDialog::update()
{
    auto* import = findChild<QPushButton*>(QStringLiteral("import"));
    const auto count = static_cast<int>(hosts().size());
    import->setEnabled(count > 0);
    import->setText(count > 0 ? tr("Import %n hosts", nullptr, count) : tr("Import"));
}

} // namespace ringmaster::app
