#pragma once

#include "app/widget/Banner.h"
#include "engine/text/Finding.h"

#include <set>
#include <string>

namespace ringmaster::app {

/// Asks whether an interpreter that only the job names may be run before the job is launched, and
/// remembers the answer for this interpreter of this file.
class TrustBar : public Banner
{
    Q_OBJECT

public:
    explicit TrustBar(QWidget* parent = nullptr);

    /// Where the job came from; empty: nowhere, and what is trusted is forgotten with it.
    void setFile(const QString& path);
    /// Shown for the first interpreter that wasn't asked, else hidden.
    void setFindings(const std::vector<Finding>& findings);
    std::set<std::string> trusted() const;

Q_SIGNALS:
    void agreed();

private:
    void trust();
    void setTexts();

    QString m_file;
    QString m_interpreter; ///< That it asks for.
    std::set<std::string> m_unsaved;
    QPushButton* m_button;
};

} // namespace ringmaster::app
