#pragma once
// fstatfs(2), which Glibc's module lacks.
#include <sys/vfs.h>
#include <curl/curl.h>
#include <locale.h>

// The options of libcurl are variadic functions, which Swift can't call.
static inline void nv_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    curl_easy_setopt(easy, option, value);
}
static inline void nv_curl_set_number(CURL *easy, CURLoption option, long value) {
    curl_easy_setopt(easy, option, value);
}
static inline void nv_curl_set_fields(CURL *easy, struct curl_slist *fields) {
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}
/// Sends these bytes as the body; libcurl keeps a copy.
static inline void nv_curl_set_body(CURL *easy, const void *bytes, size_t count) {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}
/// The buffer for libcurl's message when a transfer fails; CURL_ERROR_SIZE bytes.
static inline void nv_curl_set_error_buffer(CURL *easy, char *message) {
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, message);
}
typedef size_t (*nv_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
/// Calls `body` with pieces of the body and `field` with each line of the head.
static inline void nv_curl_set_receivers(CURL *easy, nv_curl_receiver body, nv_curl_receiver field, void *context) {
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, field);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}
static inline long nv_curl_status(CURL *easy) {
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
/// The CURLcode of a finished transfer; -1 for one in progress.
static inline int nv_curl_outcome(CURLM *multi) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) return (int)message->data.result;
    return -1;
}
/// The ASCII form of a host's name, to be freed with curl_free. NULL for no host. A name that has no such form comes back as it is.
/// libidn2 reads the name in the encoding of the thread's locale, so the thread has one with UTF-8 meanwhile.
static inline char *nv_curl_ascii_host(const char *name) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (!utf8) return NULL;
    locale_t before = uselocale(utf8);
    char *ascii = NULL;
    CURLU *url = curl_url();
    if (url && curl_url_set(url, CURLUPART_HOST, name, 0) == CURLUE_OK)
        if (curl_url_get(url, CURLUPART_HOST, &ascii, CURLU_PUNYCODE) != CURLUE_OK) ascii = NULL;
    curl_url_cleanup(url);
    uselocale(before);
    freelocale(utf8);
    return ascii;
}
/// Sends `count` bytes as the body, which `next` writes into libcurl's buffer. Without a function that goes back, libcurl can't send
/// the body again by itself when a connection that was used before breaks: the transfer ends with CURLE_SEND_FAIL_REWIND.
static inline void nv_curl_set_upload(CURL *easy, curl_off_t count, nv_curl_receiver next, void *context) {
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, count);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, next);
    curl_easy_setopt(easy, CURLOPT_READDATA, context);
}
/// The X509_V_ERR of the peer's certificate; 0 if its chain is trusted.
static inline long nv_curl_chain_verdict(CURL *easy) {
    long verdict = 0;
    curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &verdict);
    return verdict;
}
/// The next finished transfer with its CURLcode; NULL if all others are in progress.
static inline CURL *nv_curl_next_finished(CURLM *multi, int *outcome) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *outcome = (int)message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
/// The limit of open connections, also of idle ones.
static inline void nv_curl_set_connections_max(CURLM *multi, long count) {
    curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, count);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, count);
}
/// Makes the transfer end when the connection stands, with TLS and its checks. Its bytes are then the caller's.
static inline void nv_curl_set_connect_only(CURL *easy) { curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L); }
/// The socket of such a connection; CURL_SOCKET_BAD without one.
static inline curl_socket_t nv_curl_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
    return socket;
}
enum { nv_curl_pause = CURL_WRITEFUNC_PAUSE, nv_curl_abort = CURL_READFUNC_ABORT };
