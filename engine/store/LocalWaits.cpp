#include "engine/store/LocalWaits.h"

#include "engine/store/StoreChecks.h"

namespace ringmaster {

class LocalWaits::Wait final : public KeySpace::Waiter
{
public:
    Wait(LocalWaits& owner, std::vector<std::string> awaited, Then call)
        : Waiter(owner.m_keys), keys(std::move(awaited)), then(std::move(call)), m_owner(owner)
    {
    }

    std::vector<std::string> keys;
    Then then;
    List::iterator place;
    EventLoop::Registration timer;

private:
    void keysArrived() override { m_owner.finish(place, {}); }

    LocalWaits& m_owner;
};

LocalWaits::LocalWaits(KeySpace& keys, EventLoop& loop) : m_keys(keys), m_loop(loop) {}
LocalWaits::~LocalWaits() = default;

void LocalWaits::wait(std::vector<std::string> keys, std::chrono::milliseconds timeout, Then then)
{
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    auto made = std::make_unique<Wait>(*this, std::move(keys), std::move(then));
    Wait& wait = *made;
    wait.place = m_pending.insert(m_pending.end(), std::move(made));
    const Result<bool> present = m_keys.wait(views, wait);
    if (!present)
        finish(wait.place, tl::unexpected(present.error()));
    else if (*present)
        finish(wait.place, {});
    else
        wait.timer = m_loop.callAfter(timeout, [this, &wait, timeout] {
            finish(wait.place, tl::unexpected(keysMissing(wait.keys, timeout)));
        });
}

void LocalWaits::sweep()
{
    m_over.clear();
}

void LocalWaits::finish(List::iterator wait, Result<void> result)
{
    Wait& done = **wait;
    m_over.splice(m_over.end(), m_pending, wait);
    done.cancelWait();
    done.timer.cancel();
    done.then(std::move(result));
}

} // namespace ringmaster
