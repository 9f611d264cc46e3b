#pragma once
#include <curl/curl.h>

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
enum { nv_curl_pause = CURL_WRITEFUNC_PAUSE };
