import Net
import Testing

struct TLSContextTests {
  let certificates: Certificates

  init() throws {
    certificates = try Certificates.made()
  }

  @Test func aMissingFileIsNamed() throws {
    var options = TLSOptions()
    options.certificateAuthorityFile = "/no/such/file.pem"
    #expect(
      throws: TLSConfigurationError(
        message: "the certificate authorities cannot be read from /no/such/file.pem: no such file "
          + "or directory")
    ) { try TLSContext(options) }
  }

  @Test func aFileWithoutCertificatesIsNamed() throws {
    var options = TLSOptions()
    options.certificateAuthorityFile = certificates.path("empty.pem")
    let error = #expect(throws: TLSConfigurationError.self) { try TLSContext(options) }
    let file = certificates.path("empty.pem")
    #expect(error?.message.hasPrefix("\(file) holds no certificate authorities") == true)
  }

  @Test(arguments: ["good.key", "locked.key", "empty.pem"])
  func aKeyThatDoesNotFitOrIsLockedIsRefusedWithoutAsking(key: String) throws {
    var options = TLSOptions()
    options.certificateFile = certificates.path("client.pem")
    options.keyFile = certificates.path(key)
    let error = #expect(throws: TLSConfigurationError.self) { try TLSContext(options) }
    #expect(error?.message.hasPrefix(certificates.path(key) + " holds no private key") == true)
  }

  @Test func aKeyAloneAsksForItsCertificate() throws {
    var options = TLSOptions()
    options.keyFile = certificates.path("client.key")
    let error = #expect(throws: TLSConfigurationError.self) { try TLSContext(options) }
    #expect(error?.message.hasSuffix("needs a certificate: name its file with --cert") == true)
  }
}
