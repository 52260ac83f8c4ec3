import COpenSSL

/// The SHA-256 of a server's public key, written `sha256//BASE64` as for curl.
///
/// A pin is looked at in addition to authority and host name, and also with `isInsecure`, where it is all
/// that tells who the peer is.
package struct PublicKeyPin: Hashable, Sendable, CustomStringConvertible {
  private let digest: [UInt8]

  /// Reads `sha256//` and 44 characters of base64; nil for anything else.
  package init?(parsing text: String) {
    let prefix = "sha256//"
    guard text.hasPrefix(prefix) else { return nil }
    let base64 = Array(text.utf8.dropFirst(prefix.utf8.count))
    // 32 bytes are 43 characters and one of padding; EVP_DecodeBlock gives zeros for padding.
    guard base64.count == 44, base64[43] == UInt8(ascii: "="), base64[42] != UInt8(ascii: "=")
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 33)
    guard EVP_DecodeBlock(&bytes, base64, 44) == 33 else { return nil }
    digest = Array(bytes.prefix(32))
  }

  /// The pin of a certificate's public key: of its SubjectPublicKeyInfo in DER (RFC 7469 section 2.4).
  init?(certificate: OpaquePointer) {
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded)
    guard count > 0, let start = encoded else { return nil }
    defer { CRYPTO_free(start, "", 0) }
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256(start, Int(count), &digest)
    self.digest = digest
  }

  package var description: String {
    var base64 = [UInt8](repeating: 0, count: 45)
    EVP_EncodeBlock(&base64, digest, 32)
    return "sha256//" + String(decoding: base64.prefix(44), as: UTF8.self)
  }
}
