#include "app/jobs/ElsewhereCard.h"

#include "app/jobs/ForeignJobDialog.h"
#include "app/widget/TableLook.h"
#include "app/widget/Translated.h"

#include <QEvent>
#include <QPushButton>
#include <QTableView>

namespace ringmaster::app {

ElsewhereCard::ElsewhereCard(std::unique_ptr<ForeignJobs::Machine> looks, QString machine,
                             QWidget* parent)
    : Card(parent)
    , m_jobs(std::move(looks), this)
    , m_machine(std::move(machine))
    , m_model(m_jobs)
    , m_table(new QTableView(this))
    , m_look(new QPushButton(this))
{
    m_table->setModel(&m_model);
    dressTable(*m_table, 28);
    setColumnWidths(*m_table, {150, 186, 120, 64, 64, 84, 64});
    addHeaderWidget(m_look);
    content()->addWidget(m_table);
    connect(m_look, &QPushButton::clicked, this, &ElsewhereCard::look);
    connect(m_table, &QTableView::activated, this, &ElsewhereCard::look);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ElsewhereCard::update);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_model, signal, this, &ElsewhereCard::update);
    connect(&m_jobs, &ForeignJobs::changed, this, &ElsewhereCard::setTexts);
    translated(this, [this] { setTexts(); });
}

/// It shows what these jobs say.
ElsewhereCard::~ElsewhereCard()
{
    delete m_dialog;
}

void ElsewhereCard::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    update();
}

void ElsewhereCard::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        update();
}

void ElsewhereCard::update()
{
    const int jobs = m_model.rowCount();
    if (jobs == 1 && !m_table->selectionModel()->hasSelection())
        m_table->selectRow(0);
    m_look->setEnabled(m_table->selectionModel()->hasSelection());
    constexpr int MostRows = 4;
    m_table->setFixedHeight(tableHeight(*m_table, MostRows));
    setVisible(jobs > 0);
}

void ElsewhereCard::look()
{
    const QModelIndexList chosen = m_table->selectionModel()->selectedRows();
    if (chosen.isEmpty())
        return;
    const ForeignJob& job = m_model.at(chosen.front().row()).job;
    if (m_dialog == nullptr || m_dialog->job() != job.identity()) {
        delete m_dialog;
        m_dialog = new ForeignJobDialog(m_jobs, job, m_machine, window());
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        m_dialog->show();
    }
    m_dialog->look();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void ElsewhereCard::setTexts()
{
    setTitle(m_machine.isEmpty() ? tr("Running elsewhere on this machine")
                                 : tr("Running elsewhere on %1").arg(m_machine));
    setSubtitle(m_jobs.trouble() ? tr("as they were: %1 isn't reached now").arg(m_machine)
                                 : tr("started by something else; nothing is done to them"));
    m_look->setText(tr("Look at its stacks"));
    m_look->setToolTip(tr("Where each rank stands, and who differs; the job isn't stopped"));
    m_table->setAccessibleName(tr("Jobs that something else started"));
}

} // namespace ringmaster::app
