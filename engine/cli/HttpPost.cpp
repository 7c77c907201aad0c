#include "engine/cli/HttpPost.h"

#include "engine/base/Version.h"
#include "engine/cli/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <asio/connect.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/write.hpp>
#include <fmt/format.h>

namespace ringmaster {

namespace {

constexpr size_t MostHead = size_t{32} << 10U;
constexpr size_t MostBody = size_t{64} << 10U;

bool sameWord(std::string_view one, std::string_view other)
{
    return std::ranges::equal(one, other, [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    });
}

std::string_view headerOf(std::string_view head, std::string_view name)
{
    for (size_t at = head.find("\r\n"); at != std::string_view::npos;
         at = head.find("\r\n", at + 2)) {
        const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
        const size_t colon = line.find(':');
        if (colon != std::string_view::npos && sameWord(line.substr(0, colon), name))
            return stripped(line.substr(colon + 1));
    }
    return {};
}

/// What has come of the parts. `isWhole` becomes true with the last one, or what isn't one.
std::string withoutChunks(std::string_view body, bool& isWhole)
{
    std::string text;
    for (;;) {
        size_t size = 0;
        const size_t end = body.find("\r\n");
        if (end == std::string_view::npos)
            return text;
        const auto read = std::from_chars(body.data(), body.data() + end, size, 16);
        if (read.ec != std::errc() || size == 0) {
            isWhole = true;
            return text;
        }
        text += body.substr(end + 2, size);
        if (size > body.size() || end + 4 + size > body.size())
            return text;
        body.remove_prefix(end + 4 + size);
    }
}

/// One request and its answer.
class Exchange
{
public:
    Exchange(const HttpUrl& url, std::string request) : m_url(url), m_request(std::move(request)) {}

    Result<HttpAnswer> run(std::chrono::milliseconds timeout)
    {
        m_resolver.async_resolve(
            m_url.host, m_url.port,
            [this](const asio::error_code& error, const asio::ip::tcp::resolver::results_type& at) {
                error ? failed(code::HttpUnreachable, error) : connect(at);
            });
        m_context.run_for(timeout);
        if (!m_result)
            return fail(code::HttpSilent,
                        {{"url", m_url.text()},
                         {"seconds", fmt::format("{}", double(timeout.count()) / 1000)}});
        return *std::move(m_result);
    }

private:
    void connect(const asio::ip::tcp::resolver::results_type& at)
    {
        asio::async_connect(m_socket, at, [this](const asio::error_code& error, const auto&) {
            error ? failed(code::HttpUnreachable, error) : send();
        });
    }

    /// It may answer before it has read all.
    void send()
    {
        asio::async_write(m_socket, asio::buffer(m_request),
                          [](const asio::error_code&, size_t) {});
        receive();
    }

    void receive()
    {
        m_socket.async_read_some(asio::buffer(m_buffer),
                                 [this](const asio::error_code& error, size_t size) {
                                     m_received.append(m_buffer.data(), size);
                                     if (!take(error ? Stream::Ended : Stream::Open))
                                         error ? failed(code::HttpBroken, {}) : receive();
                                 });
    }

    enum class Stream { Open, Ended };

    /// True: no more is needed.
    bool take(Stream stream)
    {
        const bool isHttp = m_received.starts_with(
            std::string_view("HTTP/1.").substr(0, std::min<size_t>(m_received.size(), 7)));
        const size_t end = m_received.find("\r\n\r\n");
        if (!isHttp || (end == std::string::npos && m_received.size() > MostHead) ||
            (end == std::string::npos && stream == Stream::Ended && !m_received.empty())) {
            failed(code::HttpNotSpoken, {});
            return true;
        }
        if (end == std::string::npos)
            return false;
        const std::string_view head = std::string_view(m_received).substr(0, end + 2);
        HttpAnswer answer;
        const size_t space = head.find(' ');
        const char* digits = head.data() + std::min(space, head.size() - 1) + 1;
        const auto read = std::from_chars(digits, head.data() + head.size(), answer.status);
        if (read.ec != std::errc() || answer.status < 100 || answer.status > 999) {
            failed(code::HttpNotSpoken, {});
            return true;
        }
        if (answer.status < 200) { // it says that it goes on
            m_received.erase(0, end + 4);
            return take(stream);
        }
        return takeBody(std::move(answer), head, end + 4, stream);
    }

    bool takeBody(HttpAnswer answer, std::string_view head, size_t from, Stream stream)
    {
        answer.retryAfter = headerOf(head, "retry-after");
        const std::string_view body = std::string_view(m_received).substr(from);
        const std::string_view length = headerOf(head, "content-length");
        size_t size = MostBody;
        std::from_chars(length.data(), length.data() + length.size(), size);
        bool isWhole = body.size() >= std::min(size, MostBody);
        const bool isChunked = sameWord(headerOf(head, "transfer-encoding"), "chunked");
        answer.body = isChunked ? withoutChunks(body, isWhole) : std::string(body);
        answer.body.resize(std::min(answer.body.size(), std::min(size, MostBody)));
        if (!isWhole && stream == Stream::Open)
            return false;
        done(std::move(answer));
        return true;
    }

    void failed(Code what, const asio::error_code& error)
    {
        done(fail(what, {{"url", m_url.text()}}, error ? error.message() : std::string()));
    }

    void done(Result<HttpAnswer> result)
    {
        if (!m_result)
            m_result = std::move(result);
        m_context.stop();
    }

    const HttpUrl& m_url;
    const std::string m_request;
    std::array<char, 4096> m_buffer{};
    std::string m_received;
    std::optional<Result<HttpAnswer>> m_result;
    asio::io_context m_context{1};
    asio::ip::tcp::resolver m_resolver{m_context};
    asio::ip::tcp::socket m_socket{m_context};
};

} // namespace

std::optional<HttpUrl> HttpUrl::parse(std::string_view text)
{
    constexpr std::string_view Scheme = "http://";
    if (!sameWord(text.substr(0, Scheme.size()), Scheme))
        return std::nullopt;
    text.remove_prefix(Scheme.size());
    const auto isOdd = [](unsigned char character) { return character <= ' ' || character > '~'; };
    if (std::ranges::any_of(text, isOdd) || text.find_first_of("@?#") != std::string_view::npos)
        return std::nullopt;
    const size_t slash = std::min(text.find('/'), text.size());
    HttpUrl url{.path = std::string(text.substr(slash))};
    while (url.path.ends_with('/'))
        url.path.pop_back();
    std::string_view place = text.substr(0, slash);
    const size_t bracket = place.starts_with('[') ? place.find(']') : 0;
    if (bracket == std::string_view::npos)
        return std::nullopt;
    const size_t colon = place.find(':', bracket);
    url.host = bracket > 0 ? place.substr(1, bracket - 1) : place.substr(0, colon);
    if (bracket > 0 && bracket + 1 != std::min(colon, place.size()))
        return std::nullopt;
    if (colon != std::string_view::npos) {
        const std::string_view port = place.substr(colon + 1);
        int number = 0;
        const auto read = std::from_chars(port.data(), port.data() + port.size(), number);
        if (read.ec != std::errc() || read.ptr != port.data() + port.size() || number < 1 ||
            number > 65535)
            return std::nullopt;
        url.port = port;
    }
    return url.host.empty() ? std::nullopt : std::optional(url);
}

std::string HttpUrl::authority() const
{
    const bool isV6 = host.find(':') != std::string::npos;
    return (isV6 ? "[" + host + "]" : host) + ":" + port;
}

Result<HttpAnswer> httpPost(const HttpUrl& url, const HttpHeaders& headers, std::string_view body,
                            std::chrono::milliseconds timeout)
{
    std::string request = fmt::format(
        "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: ringmaster/{}\r\nContent-Type: "
        "application/json\r\nContent-Length: {}\r\nConnection: close\r\n",
        url.path.empty() ? "/" : url.path, url.authority(), RINGMASTER_VERSION, body.size());
    for (const auto& [name, value] : headers)
        request += name + ": " + value + "\r\n";
    request += "\r\n";
    request += body;
    return Exchange(url, std::move(request)).run(timeout);
}

} // namespace ringmaster
