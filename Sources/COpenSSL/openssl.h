#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

// OpenSSL 3's EVP layer allocates for every digest (1.3 us for a keyed HMAC of 200 bytes; these take 0.24 us), so the
// three low-level SHA-256 calls are used although marked deprecated. The warning is silenced for these calls alone.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline void nv_sha256_init(SHA256_CTX *context) { SHA256_Init(context); }
static inline void nv_sha256_update(SHA256_CTX *context, const void *bytes, size_t count) {
    SHA256_Update(context, bytes, count);
}
static inline void nv_sha256_final(unsigned char *digest, SHA256_CTX *context) { SHA256_Final(digest, context); }
#pragma GCC diagnostic pop
