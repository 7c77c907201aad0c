#include "app/bridge/Mailbox.h"

#include <QTimer>

namespace ringmaster::app {

namespace {
constexpr qint64 FrameMs = 16;
}

Mailbox::Mailbox(QObject* parent) : QObject(parent), m_slot(std::make_shared<Slot>(*this))
{
    m_sinceDelivery.start();
}

Mailbox::~Mailbox()
{
    std::vector<Task> dropped;
    const std::lock_guard lock(m_slot->m_mutex);
    m_slot->m_mailbox = nullptr;
    dropped.swap(m_slot->m_tasks);
}

void Mailbox::Slot::post(Task task)
{
    const std::lock_guard lock(m_mutex);
    if (m_mailbox == nullptr)
        return;
    m_tasks.push_back(std::move(task));
    if (std::exchange(m_isAwaited, true))
        return;
    // Under the lock, so that the mailbox can't go away in between.
    QMetaObject::invokeMethod(m_mailbox, &Mailbox::schedule, Qt::QueuedConnection);
}

void Mailbox::schedule()
{
    const qint64 wait = std::max<qint64>(0, FrameMs - m_sinceDelivery.elapsed());
    QTimer::singleShot(static_cast<int>(wait), Qt::PreciseTimer, this, &Mailbox::deliver);
}

void Mailbox::deliver()
{
    std::vector<Task> tasks;
    {
        const std::lock_guard lock(m_slot->m_mutex);
        tasks.swap(m_slot->m_tasks);
        m_slot->m_isAwaited = false;
    }
    m_sinceDelivery.restart();
    const std::shared_ptr<Slot> slot = m_slot;
    for (Task& task : tasks) {
        task();
        if (slot->m_mailbox == nullptr)
            return;
    }
}

} // namespace ringmaster::app
