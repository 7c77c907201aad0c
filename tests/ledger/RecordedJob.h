#pragma once

#include "tests/cli/Ringmaster.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

/// `run` for two ranks of a program of tests/ledger/programs.
inline QStringList lineOfRecordedJob(const QString& python, const QString& program,
                                     const QStringList& options = {})
{
    return QStringList{"run",      "--standalone", "--nproc-per-node", "2",
                       "--python", python,         "--warm",           "on"} +
           options +
           QStringList{QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/ledger/programs/") + program};
}

/// Of the first attempt of the last run.
inline QJsonObject operationsOf(const Ringmaster& ringmaster)
{
    const auto shown = ringmaster.run({"show", "--operations", "--json"});
    return QJsonDocument::fromJson(shown.output)["operations"][0].toObject();
}
