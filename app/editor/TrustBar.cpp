#include "app/editor/TrustBar.h"

#include "app/widget/Translated.h"
#include "engine/job/Codes.h"

#include <QPushButton>
#include <QSettings>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr auto Key = "editor/trustedInterpreters";
constexpr qsizetype MostRemembered = 200;

/// Interpreters by file.
QVariantMap remembered()
{
    return QSettings().value(QLatin1String(Key)).toMap();
}

} // namespace

TrustBar::TrustBar(QWidget* parent) : Banner(parent), m_button(new QPushButton(this))
{
    addButton(m_button);
    connect(m_button, &QPushButton::clicked, this, &TrustBar::trust);
    translated(this, [this] { setTexts(); });
}

void TrustBar::setFile(const QString& path)
{
    if (std::exchange(m_file, path) != path || path.isEmpty())
        m_unsaved.clear();
    m_interpreter.clear();
    setTexts();
}

void TrustBar::setFindings(const std::vector<Finding>& findings)
{
    const auto found = std::ranges::find_if(findings, [](const Finding& finding) {
        return finding.message.code == code::InterpreterNotAgreed;
    });
    m_interpreter = found == findings.end()
                        ? QString()
                        : QString::fromStdString(found->message.parameters.at("path"));
    setTexts();
}

std::set<std::string> TrustBar::trusted() const
{
    std::set<std::string> all = m_unsaved;
    if (!m_file.isEmpty()) {
        for (const QString& path : remembered().value(m_file).toStringList())
            all.insert(path.toStdString());
    }
    return all;
}

void TrustBar::trust()
{
    if (m_file.isEmpty()) {
        m_unsaved.insert(m_interpreter.toStdString());
    } else {
        QVariantMap all = remembered();
        all[m_file] = all.value(m_file).toStringList() << m_interpreter;
        if (all.size() > MostRemembered)
            all = {{m_file, all.value(m_file)}};
        QSettings().setValue(QLatin1String(Key), all);
    }
    m_interpreter.clear();
    setTexts();
    Q_EMIT agreed();
}

void TrustBar::setTexts()
{
    m_button->setText(tr("Trust"));
    if (m_interpreter.isEmpty())
        return clear();
    show(Notice::Severity::Warning, tr("This job wants to run %1.").arg(m_interpreter),
         tr("Only the job names it, so it isn't asked for its torch unless you trust it. "
            "Launching the job runs it."),
         {});
    m_button->show();
}

} // namespace ringmaster::app
