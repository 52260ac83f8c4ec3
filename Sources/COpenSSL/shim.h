// OpenSSL, plus functions for the macros that Swift cannot import.
#ifndef PARLOUR_COPENSSL_H
#define PARLOUR_COPENSSL_H
// For SHA1_Init and its kin, see co_sha1.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

/// SHA-1 by the functions that need nothing else of OpenSSL: `SHA1` would start the whole library, which costs
/// a line without TLS 2 MB and a millisecond.
static inline void co_sha1(const void *bytes, size_t count, unsigned char *digest) {
  SHA_CTX context;
  SHA1_Init(&context);
  SHA1_Update(&context, bytes, count);
  SHA1_Final(digest, &context);
}

static inline int co_set_minimum_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_min_proto_version(context, version);
}

static inline int co_set_maximum_version(SSL_CTX *context, int version) {
  return (int)SSL_CTX_set_max_proto_version(context, version);
}

/// The name that goes into the ClientHello (RFC 6066 section 3); never an address.
static inline int co_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline void co_refuse_renegotiation(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

/// New sessions go to the callback of SSL_CTX_sess_set_new_cb, and OpenSSL keeps none itself.
static inline void co_hand_out_sessions(SSL_CTX *context) {
  SSL_CTX_set_session_cache_mode(context,
                                 SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

/// Asks the caller to come back when more ciphertext is there.
static inline void co_bio_set_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void co_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }

/// The names that a certificate is for, joined by ", " and cut to `size`: dNSName and iPAddress of the
/// subjectAltName, else the common name. Returns the length; the bytes come from the peer, unchecked.
static inline int co_certificate_names(X509 *certificate, char *out, int size) {
  int length = 0;
  GENERAL_NAMES *names =
      (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
  for (int i = 0; names != NULL && i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
    char address[INET6_ADDRSTRLEN];
    const char *text = NULL;
    int count = 0;
    if (name->type == GEN_DNS) {
      text = (const char *)ASN1_STRING_get0_data(name->d.dNSName);
      count = ASN1_STRING_length(name->d.dNSName);
    } else if (name->type == GEN_IPADD) {
      int bytes = ASN1_STRING_length(name->d.iPAddress);
      int family = bytes == 4 ? AF_INET : bytes == 16 ? AF_INET6 : 0;
      if (family != 0 && inet_ntop(family, ASN1_STRING_get0_data(name->d.iPAddress), address,
                                   sizeof address) != NULL) {
        text = address;
        count = (int)strlen(address);
      }
    }
    if (text == NULL || count <= 0) continue;
    int separator = length > 0 ? 2 : 0;
    if (count > size - length - separator) break;
    memcpy(out + length, ", ", (size_t)separator);
    memcpy(out + length + separator, text, (size_t)count);
    length += separator + count;
  }
  GENERAL_NAMES_free(names);
  if (length == 0) {
    int count = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, out,
                                          size);
    length = count > 0 ? count : 0;
  }
  return length;
}
#endif
