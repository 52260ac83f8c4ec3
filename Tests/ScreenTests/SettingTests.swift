import Screen
import Testing

struct SettingTests {
  @Test func namesAreUniqueAndEveryValueReadsAsItWasWritten() {
    #expect(Set(SettingTable.all.map(\.name)).count == SettingTable.all.count)
    for setting in SettingTable.all {
      for choice in setting.choices ?? [] {
        var settings = Settings()
        #expect(setting.write(&settings, choice))
        #expect(setting.read(settings) == choice, "\(setting.name)")
      }
      var settings = Settings()
      #expect(setting.write(&settings, setting.read(Settings())), "\(setting.name)")
      #expect(settings == Settings(), "\(setting.name)")
    }
  }

  @Test func whatIsNoValueChangesNothing() {
    for setting in SettingTable.all where setting.choices != nil {
      var settings = Settings()
      #expect(!setting.write(&settings, "no such value"))
      #expect(settings == Settings())
    }
  }
}
