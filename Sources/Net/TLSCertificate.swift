import COpenSSL
import Glibc

extension TLSDetails {
  mutating func describe(_ certificate: OpaquePointer) {
    names = CertificateRefusal.names(certificate)
    issuer = Self.commonName(X509_get_issuer_name(certificate))
    var parts = tm()
    if ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &parts) == 1 {
      expiresAtMilliseconds = Int64(timegm(&parts)) * 1000
    }
  }

  /// The common name, else the organisation.
  private static func commonName(_ name: OpaquePointer?) -> String {
    guard let name else { return "" }
    for identifier in [NID_commonName, NID_organizationName] {
      var bytes = [CChar](repeating: 0, count: 200)
      let count = X509_NAME_get_text_by_NID(name, identifier, &bytes, Int32(bytes.count))
      if count > 0 { return shown(bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) }) }
    }
    return ""
  }
}
