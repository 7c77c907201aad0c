#include "app/history/CompareDialog.h"

#include "app/widget/Card.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace ringmaster::app {

CompareDialog::CompareDialog(const QString& left, const QString& right,
                             const std::vector<SettingDifference>& differences, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Compare settings"));
    auto* layout = new QVBoxLayout(this);
    auto* table = new QTableWidget(static_cast<int>(differences.size()), 3, this);
    setLook(table, "framed");
    table->setHorizontalHeaderLabels({tr("Setting"), left, right});
    table->setAccessibleName(tr("Settings that differ"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    for (int row = 0; row < table->rowCount(); ++row) {
        const SettingDifference& difference = differences[static_cast<size_t>(row)];
        const QString cells[] = {difference.setting, difference.left, difference.right};
        for (int column = 0; column < 3; ++column)
            table->setItem(
                row, column,
                new QTableWidgetItem(cells[column].isEmpty() ? tr("not set") : cells[column]));
    }
    auto* same = new QLabel(tr("Both runs had the same settings."), this);
    same->setVisible(differences.empty());
    table->setVisible(!differences.empty());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setText(tr("Close"));
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(same);
    layout->addWidget(table, 1);
    layout->addWidget(buttons);
    resize(720, 360);
}

} // namespace ringmaster::app
