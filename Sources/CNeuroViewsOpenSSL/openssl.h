#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// OpenSSL 3's EVP layer allocates for every digest (1.3 us for a keyed HMAC of 200 bytes; these take 0.24 us), so the
// low-level SHA calls are used although marked deprecated. The warning is silenced for these calls alone.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline void nv_sha256_init(SHA256_CTX *context) { SHA256_Init(context); }
static inline void nv_sha256_update(SHA256_CTX *context, const void *bytes, size_t count) {
    SHA256_Update(context, bytes, count);
}
static inline void nv_sha256_final(unsigned char *digest, SHA256_CTX *context) { SHA256_Final(digest, context); }
static inline void nv_sha512_init(SHA512_CTX *context) { SHA512_Init(context); }
static inline void nv_sha512_update(SHA512_CTX *context, const void *bytes, size_t count) {
    SHA512_Update(context, bytes, count);
}
static inline void nv_sha512_final(unsigned char *digest, SHA512_CTX *context) { SHA512_Final(digest, context); }
static inline void nv_sha1_init(SHA_CTX *context) { SHA1_Init(context); }
static inline void nv_sha1_update(SHA_CTX *context, const void *bytes, size_t count) {
    SHA1_Update(context, bytes, count);
}
static inline void nv_sha1_final(unsigned char *digest, SHA_CTX *context) { SHA1_Final(digest, context); }
#pragma GCC diagnostic pop

// Macros of <openssl/ssl.h> and <openssl/bio.h> under their own names.
static inline int nv_ssl_ctx_set_protocols(SSL_CTX *context, int min, int max) {
    return SSL_CTX_set_min_proto_version(context, min) && SSL_CTX_set_max_proto_version(context, max);
}
static inline int nv_ssl_ctx_set_groups(SSL_CTX *context, const char *names) {
    return (int)SSL_CTX_set1_groups_list(context, names);
}
static inline void nv_ssl_ctx_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void nv_ssl_ctx_clear_mode(SSL_CTX *context, long mode) { SSL_CTX_clear_mode(context, mode); }
static inline void nv_ssl_ctx_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
static inline void nv_ssl_ctx_no_session_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline int nv_ssl_ctx_add_chain(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}
static inline int nv_ssl_set_host_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }
/// Prepares HMAC-SHA-256. An OSSL_PARAM stores a pointer to its name, and a Swift string is valid only during the call.
static inline int nv_mac_set_sha256_key(EVP_MAC_CTX *mac, void *key, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key, count),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_MAC_CTX_set_params(mac, parameters);
}
/// A new key on this curve.
static inline EVP_PKEY *nv_curve_key(const char *curve) { return EVP_EC_gen(curve); }
/// The public key of these parameters, or NULL. Their names must outlive it, as above.
static inline EVP_PKEY *nv_public_key(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (context && EVP_PKEY_fromdata_init(context) == 1) EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(context);
    return key;
}
/// The key of an uncompressed point on this curve, or NULL.
static inline EVP_PKEY *nv_curve_public_key(const char *curve, void *point, size_t count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, count),
        OSSL_PARAM_construct_end(),
    };
    return nv_public_key("EC", parameters);
}
/// The key of a modulus and an exponent in native byte order, or NULL.
static inline EVP_PKEY *nv_rsa_public_key(unsigned char *n, size_t n_count, unsigned char *e, size_t e_count) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_N, n, n_count),
        OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_RSA_E, e, e_count),
        OSSL_PARAM_construct_end(),
    };
    return nv_public_key("RSA", parameters);
}
/// Prints a name as "C = DE, CN = example.org", in UTF-8.
static inline void nv_name_print(BIO *bio, const X509_NAME *name) {
    X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
}
static inline void nv_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void nv_bio_retry_write(BIO *bio) { BIO_set_retry_write(bio); }
static inline void nv_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
