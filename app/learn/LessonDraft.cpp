#include "app/learn/LessonDraft.h"

#include "app/bridge/Background.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace ringmaster::app {

namespace {

namespace fs = std::filesystem;

constexpr int KeepingPauseMs = 1000;
constexpr size_t LargestDraft = 8U << 20U;

QJsonObject draftOf(const LessonSource::File& file)
{
    return {{QStringLiteral("text"), QString::fromStdString(file.text)},
            {QStringLiteral("saved"), QString::fromStdString(file.saved)},
            {QStringLiteral("hasCarriageReturns"), file.hasCarriageReturns}};
}

LessonSource::File fileOfDraft(const QJsonValue& json)
{
    return {.text = json[QStringLiteral("text")].toString().toStdString(),
            .saved = json[QStringLiteral("saved")].toString().toStdString(),
            .hasCarriageReturns = json[QStringLiteral("hasCarriageReturns")].toBool()};
}

bool writeDraft(const fs::path& file, const LessonSource& source)
{
    const QJsonObject json{
        {QStringLiteral("path"), QString::fromStdString(source.path.string())},
        {QStringLiteral("programName"), QString::fromStdString(source.programName)},
        {QStringLiteral("isOwnWork"), source.isOwnWork},
        {QStringLiteral("lesson"), draftOf(source.lesson)},
        {QStringLiteral("program"), draftOf(source.program)}};
    return makeFolder(file.parent_path()) &&
           writeFileAtomically(file, QJsonDocument(json).toJson().toStdString(), 0600,
                               Durability::Relaxed);
}

std::optional<LessonSource> readDraft(const fs::path& file)
{
    const auto text = readFile(file, LargestDraft);
    if (!text)
        return std::nullopt;
    const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(*text));
    LessonSource source{.path = json[QStringLiteral("path")].toString().toStdString(),
                        .lesson = fileOfDraft(json[QStringLiteral("lesson")]),
                        .programName = json[QStringLiteral("programName")].toString().toStdString(),
                        .program = fileOfDraft(json[QStringLiteral("program")]),
                        .isOwnWork = json[QStringLiteral("isOwnWork")].toBool()};
    if (source.lesson.text.empty() && source.program.text.empty())
        return std::nullopt;
    return source;
}

} // namespace

LessonDraft::LessonDraft(std::function<LessonSource()> source, QObject* parent)
    : QObject(parent), m_source(std::move(source)), m_file(stateFolder() / "lesson-draft.json")
{
    m_thread.setMaxThreadCount(1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(KeepingPauseMs);
    connect(&m_soon, &QTimer::timeout, this, &LessonDraft::keep);
}

LessonDraft::~LessonDraft()
{
    if (m_soon.isActive())
        keep();
}

void LessonDraft::keepSoon()
{
    // Not from the last letter on: who never pauses is kept, too.
    if (!m_soon.isActive())
        m_soon.start();
}

void LessonDraft::keep()
{
    m_soon.stop();
    m_thread.start([file = m_file, source = m_source()] { (void)writeDraft(file, source); });
}

void LessonDraft::forget()
{
    m_soon.stop();
    m_thread.start([file = m_file] {
        std::error_code error;
        fs::remove(file, error);
    });
}

void LessonDraft::load(std::function<void(const LessonSource&)> found)
{
    inBackground(
        m_thread, this, [file = m_file] { return readDraft(file); },
        [found = std::move(found)](const std::optional<LessonSource>& source) {
            if (source)
                found(*source);
        });
}

} // namespace ringmaster::app
