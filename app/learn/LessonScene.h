#pragma once

#include "app/learn/LessonPlayer.h"
#include "app/widget/StateLook.h"

#include <QCoreApplication>
#include <QStringList>

#include <vector>

namespace ringmaster::app {

/// What the picture and its twin table show of one moment: words and numbers, no pixels.
struct LessonScene
{
    struct Value
    {
        QString name{};
        QString type{};
        QStringList elements{};
        bool isTensor = false;
        bool isWhole = true;
        bool isNew = false;      ///< Changed with this step.
        bool isAskedFor = false; ///< By a question of the lesson.
        quint64 bytes = 0;
        QString warning{};        ///< What is wrong with it, in words; empty: nothing.
        std::vector<int> wrong{}; ///< The elements that it is about; empty: all.
        bool operator==(const Value&) const = default;
    };
    enum class Standing {
        Starting,
        Held,
        Busy,
        InCall,
        Blocked,
        Paused,
        Failed,
        Finished,
        Stopped,
        Gone
    };
    struct Rank
    {
        int rank = 0;
        int pid = 0;
        int line = 0;
        QString file{}; ///< Where it isn't in the program itself.
        Standing standing = Standing::Starting;
        QString state{};  ///< Its word.
        QString detail{}; ///< The call that it is in, whom it waits for, or its error.
        bool isActor = false;
        std::vector<Value> values{};
    };
    struct Link
    {
        /// Of its way to the receiver: as long as nobody receives it, and then until it is there.
        static constexpr double WayOffered = 0.22;
        static constexpr double WayInFlight = 0.55;
        enum class Kind { Message, Offered, Awaited, Delivered, Chunk, Corrupted, Wait, Cycle };
        Kind kind = Kind::Message;
        int from = 0;
        int to = 0;
        QString state{};
        QString value{};
        quint64 bytes = 0;
        int line = 0;         ///< Of the sender, or of the rank that waits.
        QString sent{};       ///< Name of the value that is sent.
        QString room{};       ///< Name of the value that it is received in.
        int element = -1;     ///< Of both; -1: all.
        bool isNew = false;   ///< It came to this with this step.
        double wayBefore = 0; ///< Before this step, of its way: 0 at the sender, 1 at the receiver.
        bool isWait() const { return kind == Kind::Wait || kind == Kind::Cycle; }
        /// Of its way, once this step is done.
        double way() const;
    };
    /// A collective, with what each rank brings and what it takes away.
    struct Collective
    {
        struct Part
        {
            int rank = 0;
            QString gives{};
            QString takes{}; ///< Once it is back.
            quint64 bytes = 0;
            bool isBack = false;
            bool isNew = false; ///< It came, or went, with this step.
            QString value{};    ///< Name of what it gives, or once it is back of what it takes.
            bool operator==(const Part&) const = default;
        };
        QString name{};
        QString state{};
        std::vector<int> members{};
        std::vector<Part> parts{}; ///< Of those that have come.
        bool disagrees = false;

        const Part* partOf(int rank) const;
    };
    struct Group
    {
        QString name{};
        std::vector<int> members{};
        int line = 0; ///< Where it was made.
        bool operator==(const Group&) const = default;
    };

    QString title{};
    QString origin{};
    QStringList findings{}; ///< What is wrong, or ended abnormally.
    QStringList notes{};    ///< What the agent did about it.
    std::vector<Rank> ranks{};
    std::vector<Link> links{};
    std::vector<Collective> collectives{};
    std::vector<Group> groups{};

    Q_DECLARE_TR_FUNCTIONS(LessonScene)
};

LessonScene sceneOf(const LessonPlayer& player);

/// Colour and shape of a rank's state; its word is in the scene.
StateLook lookOf(LessonScene::Standing standing, const Tokens& tokens);
StateLook lookOf(LessonScene::Link::Kind kind, const Tokens& tokens);
/// A colour and, as always, a number: the same for a rank wherever it is shown.
QColor rankColor(int rank, const Tokens& tokens);

} // namespace ringmaster::app
