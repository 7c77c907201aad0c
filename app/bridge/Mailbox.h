#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace ringmaster::app {

/// Carries tasks from any thread to the thread it lives on, all that wait at once, at most once a
/// frame. Senders hold a Slot, which may outlive the mailbox: what is posted then is dropped.
class Mailbox : public QObject
{
    Q_OBJECT

public:
    using Task = std::function<void()>;

    class Slot
    {
    public:
        explicit Slot(Mailbox& mailbox) : m_mailbox(&mailbox) {}
        void post(Task task);

    private:
        friend class Mailbox;
        std::mutex m_mutex;
        Mailbox* m_mailbox;
        std::vector<Task> m_tasks;
        bool m_isAwaited = false;
    };

    explicit Mailbox(QObject* parent = nullptr);
    ~Mailbox() override;

    std::shared_ptr<Slot> slot() const { return m_slot; }

private:
    void schedule();
    void deliver();

    std::shared_ptr<Slot> m_slot;
    QElapsedTimer m_sinceDelivery;
};

} // namespace ringmaster::app
