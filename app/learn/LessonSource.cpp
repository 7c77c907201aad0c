#include "app/learn/LessonSource.h"

#include "engine/base/Files.h"
#include "engine/lesson/Pack.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr size_t LargestSource = 1U << 20U;

/// Other bytes would be lost on the way through the editor.
Result<LessonSource::File> readSourceText(Result<std::string> text)
{
    std::string known = RM_TRY(std::move(text));
    if (const auto problem = lesson::problemOfProgram(known))
        return fail(problem->code, problem->parameters);
    return LessonSource::File::of(std::move(known));
}

QString sourceName(const std::filesystem::path& path)
{
    return QFile::decodeName(path.c_str());
}

bool isOutdated(const std::filesystem::path& path, const LessonSource::File& file)
{
    const auto known = readFile(path, LargestSource);
    return known && LessonSource::File::of(*known).saved != file.saved;
}

/// Why not; empty: it is written.
QString writeSourceFile(const std::filesystem::path& path, const LessonSource::File& file)
{
    QByteArray bytes = QByteArray::fromStdString(file.text);
    if (file.hasCarriageReturns)
        bytes.replace("\n", "\r\n");
    const QString name = sourceName(path);
    QDir().mkpath(QFileInfo(name).absolutePath());
    QSaveFile saved(name);
    const bool isWritten =
        saved.open(QIODevice::WriteOnly) && saved.write(bytes) == bytes.size() && saved.commit();
    return isWritten ? QString() : QStringLiteral("%1: %2").arg(name, saved.errorString());
}

} // namespace

LessonSource::File LessonSource::File::of(std::string text)
{
    File file;
    file.hasCarriageReturns = text.find("\r\n") != std::string::npos;
    std::erase(text, '\r');
    file.saved = text;
    file.text = std::move(text);
    return file;
}

Result<LessonSource> readLessonSource(const std::filesystem::path& path)
{
    LessonSource source;
    source.path = lesson::packFile(path);
    source.lesson = RM_TRY(readSourceText(lesson::packText(path)));
    const auto beside = [&](const std::string& name) {
        return lesson::readProgramBeside(source.path.parent_path(), name);
    };
    const lesson::Pack pack = lesson::readPack(source.lesson.text, beside).pack;
    // A program that isn't there is the check's to tell.
    if (pack.programFile.empty() || pack.source.empty())
        return source;
    source.program = RM_TRY(readSourceText(pack.source));
    source.programName = pack.programFile;
    return source;
}

LessonSource copyOf(LessonSource source)
{
    static const QRegularExpression name(QStringLiteral("^(name\\s*=\\s*[\"'])([a-z0-9-]*)([\"'])"),
                                         QRegularExpression::MultilineOption);
    QString text = QString::fromStdString(source.lesson.text);
    const auto found = name.match(text);
    if (found.hasMatch())
        text.insert(found.capturedEnd(2), QStringLiteral("-copy"));
    source.path.clear();
    source.lesson.text = text.toStdString();
    source.lesson.saved.clear();
    source.program.saved.clear();
    return source;
}

LessonSource newLessonSource()
{
    QFile file(QStringLiteral(":/lessons/my-first.ringlesson"));
    LessonSource source;
    if (file.open(QIODevice::ReadOnly))
        source.lesson.text = file.readAll().toStdString();
    source.isOwnWork = true;
    return source;
}

std::filesystem::path placeFor(const LessonSource& source, const std::filesystem::path& chosen)
{
    return source.programName.empty() ? chosen : chosen / "lesson.toml";
}

LessonSaving writeLessonSource(const LessonSource& source, bool overwrites)
{
    std::vector<std::pair<std::filesystem::path, const LessonSource::File*>> files;
    // What the lesson names is there before the lesson names it.
    if (!source.programName.empty())
        files.emplace_back(source.path.parent_path() / source.programName, &source.program);
    files.emplace_back(source.path, &source.lesson);
    for (const auto& [path, file] : files)
        if (!overwrites && isOutdated(path, *file))
            return {.outdated = sourceName(path)};
    for (const auto& [path, file] : files) {
        std::error_code error;
        if (file->text == file->saved && std::filesystem::exists(path, error) && !overwrites)
            continue;
        if (const QString problem = writeSourceFile(path, *file); !problem.isEmpty())
            return {.problem = problem};
    }
    return {.isSaved = true};
}

} // namespace ringmaster::app
