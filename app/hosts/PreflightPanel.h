#pragma once

#include "app/hosts/PreflightMatrix.h"
#include "app/model/RowsModel.h"
#include "app/widget/Card.h"

class QBoxLayout;
class QLineEdit;
class QListView;
class QPushButton;
class QTableView;
class QToolButton;

namespace ringmaster::app {

/// Findings of a preflight as sentences, which say the remedy.
class PreflightList : public RowsModel<PreflightFinding>
{
    Q_OBJECT

public:
    enum DataRole { SeverityRole = FirstOwnRole, FixRole };

    explicit PreflightList(QObject* parent = nullptr);

    void setFindings(std::vector<PreflightFinding> findings) { setRows(std::move(findings)); }

protected:
    QVariant rowData(const PreflightFinding& finding, const QModelIndex& index,
                     int role) const override;
};

/// What a preflight found: the matrix of hosts; beside it, or below it in a narrow card, the
/// sentences of the chosen cell, or of all that isn't as it should be; below them a line for the
/// shell that mends the chosen one.
class PreflightPanel : public Card
{
    Q_OBJECT

public:
    explicit PreflightPanel(QWidget* parent = nullptr);

    void setRunning(const std::vector<std::string>& hosts);
    void setFindings(const std::vector<std::string>& hosts,
                     const std::vector<PreflightFinding>& findings);
    void setFailed(const QString& why);
    const PreflightMatrix& matrix() const { return m_matrix; }
    Height heightIn(int width) const override;

Q_SIGNALS:
    void requested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void place();
    int matrixHeight() const;
    void showCell();
    void showFix();
    void updateSubtitle();
    void setTexts();

    PreflightMatrix m_matrix;
    PreflightList m_list;
    bool m_isRunning = false;
    QString m_failure;
    QTableView* m_table;
    QListView* m_sentences;
    QBoxLayout* m_parts; ///< The matrix and the sentences.
    QLineEdit* m_fix;
    QToolButton* m_copy;
    QPushButton* m_run;
};

} // namespace ringmaster::app
