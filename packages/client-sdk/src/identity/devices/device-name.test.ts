import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser } from '../../testing/test-client.ts'
import { createTestSigner } from '../../testing/test-signer.ts'
import { deviceNameFrom } from './register-device.ts'

describe('a device name made from a text', () => {
  it.each([
    ['iPhone 15 (2)', 'iPhone 15 2'],
    ['Ana’s Pixel 9 Pro – work', 'Ana’s Pixel 9 Pro - work'],
    ["Ada's phone", "Ada's phone"],
    ['Телефон Анны №2', 'Телефон Анны 2'],
    ['アナの iPhone', 'アナの iPhone'],
    ['MacBook-Pro.local', 'MacBook-Pro local'],
    ['  SM_G991B\n\t/ DS  ', 'SM G991B DS'],
    ['phone 📱', 'phone'],
    ['a\u00A0b\u202Ec\uD800', 'a b c'],
    ['📱', 'Device'],
    ['', 'Device'],
    ['𝒜'.repeat(300), '𝒜'.repeat(255)],
    [`${'x'.repeat(254)} y`, 'x'.repeat(254)],
  ])('%j becomes %j', (text, name) => {
    expect(deviceNameFrom(text)).toBe(name)
    expect(deviceNameFrom(name)).toBe(name)
  })

  it('is accepted by the service, whatever the text is', async () => {
    const given = await createTestClient({}, { options: { rateLimits: 'off' } })
    await logInNewUser(given)
    const { client } = given
    const texts = [
      'iPhone 15 (2)',
      'Ana’s Pixel 9 Pro – work',
      '<b>',
      '\0',
      '٣ e\u0301 ﷽',
      'x'.repeat(999),
      null,
      undefined,
      7,
      {},
    ]
    for (const text of texts) {
      const deviceName = deviceNameFrom(text as string)
      const { device } = await client.devices.register({ signer: createTestSigner(), deviceName, deviceType: 'mobile' })
      expect(device.deviceName).toBe(deviceName)
    }
  })
})

describe('a name that the service refuses', () => {
  it('is refused with its first forbidden character', async () => {
    const given = await createTestClient()
    await logInNewUser(given)
    const register = (deviceName: string) =>
      given.client.devices.register({ signer: createTestSigner(), deviceName, deviceType: 'mobile' })
    const takes = 'must be 1 to 255 letters, digits, spaces, hyphens or apostrophes'
    await expect(register('iPhone 15 (2)')).rejects.toMatchObject({ details: { deviceName: `${takes}, not U+0028` } })
    await expect(register('x'.repeat(256))).rejects.toMatchObject({ details: { deviceName: takes } })
  })
})
