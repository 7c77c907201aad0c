#include "app/history/RunDetails.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/NumberText.h"
#include "app/model/PassingError.h"
#include "app/model/RunListModel.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"
#include "engine/base/Codes.h"
#include "engine/job/JobSettings.h"
#include "engine/record/Secrets.h"
#include "engine/text/SecretWords.h"

#include <QScrollBar>
#include <QTextEdit>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr int FetchAfter = 150; ///< ms
constexpr size_t MostNumbers = 12;

QString htmlOf(const QString& text)
{
    return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

/// One table has all of it, so that values stand below each other; titles have one width, whatever
/// their language, and long values wrap.
QString rowsHtml(const std::vector<RunDetails::Fact>& facts)
{
    QString html;
    for (const auto& [title, value] : facts)
        html += QStringLiteral("<tr><td style='white-space:pre; vertical-align:middle; color:%1; "
                               "padding-right:18px; padding-bottom:6px'>%2</td>"
                               "<td style='vertical-align:middle; padding-bottom:6px'>%3</td></tr>")
                    .arg(themeTokens().mutedText.name(), htmlOf(title), htmlOf(value));
    return html;
}

QString sectionHtml(const QString& title)
{
    return QStringLiteral("<tr><td colspan='2' style='padding-top:14px; padding-bottom:6px'>"
                          "<b>%1</b></td></tr>")
        .arg(htmlOf(title));
}

QString lineHtml(const QString& line)
{
    return QStringLiteral("<tr><td colspan='2'>%1</td></tr>").arg(line);
}

/// Those of the job's file, secrets masked; the command line tells its arguments, the head its
/// name.
std::vector<RunDetails::Fact> settingsOf(const std::string& jobFile)
{
    std::vector<RunDetails::Fact> settings;
    for (const SettingDifference& setting : differingSettings({jobFile, {}})) {
        const std::string& value = setting.values.front();
        if (value.empty() || setting.setting == "arguments" || setting.setting == "name")
            continue;
        settings.emplace_back(QString::fromStdString(setting.setting),
                              QString::fromStdString(maskedSetting(setting.setting, value)));
    }
    return settings;
}

/// One rank speaks for a name: the lowest that printed it.
std::vector<RunDetails::Fact> numbersOf(const NumberSummary& summary)
{
    std::vector<RunDetails::Fact> numbers;
    for (const std::string& name : summary.names) {
        const auto latest = std::ranges::find(summary.latest, name, &NumberSummary::Latest::name);
        if (latest == summary.latest.end() || numbers.size() == MostNumbers)
            continue;
        QString value = numberText(latest->value);
        if (latest->total)
            value += u'/' + numberText(*latest->total);
        numbers.emplace_back(QString::fromStdString(name),
                             QStringLiteral("%1 · %2").arg(value, rankText(latest->rank)));
    }
    return numbers;
}

} // namespace

RunDetails::RunDetails(EngineBridge& bridge, QWidget* parent)
    : Card(parent), m_bridge(bridge), m_jobs(bridge), m_text(new QTextEdit(this))
{
    m_text->setReadOnly(true);
    m_text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    setLook(m_text, "framed");
    m_text->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->document()->setDocumentMargin(0);
    content()->addWidget(m_text, 1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(FetchAfter);
    connect(&m_soon, &QTimer::timeout, this, &RunDetails::fetch);
    m_again.setSingleShot(true);
    m_again.setInterval(ReachInterval);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (isVisible())
            readNumbers();
    });
    translated(this, [this] { setTexts(); });
}

void RunDetails::show(const std::optional<RunSummary>& run, std::vector<Fact> facts)
{
    const bool isSame = m_run && run ? m_run->id == run->id : !m_run && !run;
    m_run = run;
    m_facts = std::move(facts);
    if (!isSame) {
        m_job.reset();
        m_numbers = {};
        m_hasNumbers = false;
        m_fetched.clear();
        m_soon.stop();
        m_again.stop();
    }
    if (m_run && m_fetched != m_run->id && isVisible())
        m_soon.start();
    fill();
    if (!isSame)
        m_text->verticalScrollBar()->setValue(0);
}

QString RunDetails::text() const
{
    return m_text->toPlainText();
}

void RunDetails::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    if (m_run && m_fetched != m_run->id)
        m_soon.start();
    else if (m_run && !m_hasNumbers)
        readNumbers();
}

/// The colours are in the text.
void RunDetails::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_text != nullptr)
        fill();
}

void RunDetails::fetch()
{
    if (!m_run)
        return;
    m_fetched = m_run->id;
    // Of a recording that can't be read nothing is shown here; opening it says why.
    m_jobs.fetch(m_fetched, [this, id = m_fetched](const Result<RunStarted>& job) {
        if (!job || !m_run || m_run->id != id)
            return;
        m_job = *job;
        fill();
    });
    readNumbers();
}

void RunDetails::readNumbers()
{
    m_bridge.ask(&Cluster::readLastNumbers, m_fetched)
        .then(this, [this, id = m_fetched](const Result<NumberSummary>& numbers) {
            if (!m_run || m_run->id != id)
                return;
            m_hasNumbers = numbers || !isPassing(numbers.error());
            if (!m_hasNumbers)
                return m_again.start();
            if (numbers)
                m_numbers = *numbers;
            fill();
        });
}

void RunDetails::fill()
{
    setSubtitle(m_run ? QString::fromStdString(m_run->shownName()) : QString());
    if (!m_run) {
        m_text->setPlainText(tr("Select one run to read about it here."));
        return;
    }
    QString html;
    const Message& cause = firstToldOf(*m_run);
    if (cause.code != code::None)
        html += QStringLiteral("<tr><td colspan='2' style='padding-bottom:12px'>%1</td></tr>")
                    .arg(htmlOf(app::text(cause)));
    html += rowsHtml(factsShown());
    if (m_job && !m_job->torchrunLine.empty())
        html += sectionHtml(tr("As a torchrun command")) +
                lineHtml(QStringLiteral("<span style='font-family:%1'>%2</span>")
                             .arg(monospaceFont().family(),
                                  htmlOf(QString::fromStdString(maskedLine(m_job->torchrunLine)))));
    if (const auto settings = settingsOf(m_job ? m_job->jobFile : std::string()); !settings.empty())
        html += sectionHtml(tr("Settings")) + rowsHtml(settings);
    if (const auto numbers = numbersOf(m_numbers); !numbers.empty())
        html += sectionHtml(tr("Printed last")) + rowsHtml(numbers);
    m_text->setHtml(QStringLiteral("<table cellspacing='0' cellpadding='0'>%1</table>").arg(html));
}

/// Those that say something.
std::vector<RunDetails::Fact> RunDetails::factsShown() const
{
    std::vector<Fact> facts = m_facts;
    if (m_job)
        facts.emplace_back(tr("Working folder"), QString::fromStdString(m_job->workingFolder));
    facts.emplace_back(tr("Run folder"), QString::fromStdString(m_run->folder.string()));
    std::erase_if(facts, [](const Fact& fact) {
        return fact.second.isEmpty() || fact.second == QStringLiteral("–");
    });
    return facts;
}

void RunDetails::setTexts()
{
    setTitle(tr("About this run"));
    m_text->setAccessibleName(title());
    fill();
}

} // namespace ringmaster::app
