// OpenSSL, plus functions for the macros that Swift cannot import.
#ifndef PARLOUR_COPENSSL_H
#define PARLOUR_COPENSSL_H
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#endif
