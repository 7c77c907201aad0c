#pragma once

#include "app/editor/RunPlace.h"

class QLineEdit;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace ringmaster::app {

/// Hosts over ssh: chosen from the host book, with the workers of each, or written as
/// `ringmaster run --hosts` takes them. Both are the same.
class HostsPlace : public RunPlace
{
    Q_OBJECT

public:
    explicit HostsPlace(QWidget* parent = nullptr);

    QString title() const override;
    bool holds(const JobSpec& spec) const override;
    void load(const JobSpec& spec) override;
    void store(JobSpec& spec) const override;
    void clear(JobSpec& spec) const override;
    void setHosts(const std::vector<Host>& hosts) override;

private:
    std::vector<std::string> words() const;
    void setWords(const std::vector<std::string>& words);
    void fillTable();
    void chosenInTable(const QTableWidgetItem& item);
    void setTexts();

    std::vector<Host> m_hosts;
    bool m_isFilling = false;
    QLineEdit* m_words;
    QTableWidget* m_table;
    QPushButton* m_preflight;
    QLabel* m_hint;
    QLabel* m_label;
};

} // namespace ringmaster::app
