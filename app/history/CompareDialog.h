#pragma once

#include "app/history/JobComparison.h"

#include <QDialog>

namespace ringmaster::app {

/// What two runs had been asked to do differently, as a table.
class CompareDialog : public QDialog
{
    Q_OBJECT

public:
    CompareDialog(const QString& left, const QString& right,
                  const std::vector<SettingDifference>& differences, QWidget* parent = nullptr);
};

} // namespace ringmaster::app
