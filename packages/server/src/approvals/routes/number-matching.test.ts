import { describe, expect, it } from 'vitest'
import { aPayment, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp, type TestAppOptions } from '../../testing/test-app.ts'

const extended = { 'countersign-extended': '1' }

const given = async (options: TestAppOptions = {}) => {
  const test = await createTestApp(options)
  const user = await signInWithDevice(test)
  const initiate = (members: object = {}, headers: Readonly<Record<string, string>> = extended) =>
    test.ask(
      'confirmations.initiate',
      { actionType: 'payment_approval', actionPayload: aPayment, ...members },
      { token: user.token, headers },
    )
  const verify = ({ confirmationId, challenge }: { confirmationId: string; challenge: string }, matchNumber?: unknown) =>
    test.call(
      'confirmations.verify',
      { confirmationId, deviceId: user.device.id, signedChallenge: user.signer.sign(challenge), matchNumber },
      { token: user.deviceToken },
    )
  return { test, ...user, initiate, verify }
}

describe('number matching', () => {
  it('returns the number only to the page that asks for an extended answer', async () => {
    const { test, initiate, deviceToken, token } = await given()
    const initiated = await initiate({ numberMatching: true })
    expect(initiated).toEqual({
      confirmationId: expect.any(String),
      challenge: expect.any(String),
      expiresAt: expect.any(String),
      matchNumber: expect.stringMatching(/^[0-9]{2}$/),
    })
    const { confirmationId } = initiated
    const answers = [
      await test.call('confirmations.pending', {}, { token: deviceToken, headers: extended }),
      await test.call('confirmations.status', { confirmationId }, { token, headers: extended }),
    ]
    for (const { text } of answers) expect(text).not.toContain('matchNumber')
    expect(answers[0]?.body).toMatchObject({ data: { confirmations: [{ numberMatching: true }] } })
  })

  it("does not change the contract's response without the extension", async () => {
    const { initiate } = await given()
    expect(Object.keys(await initiate({}, {}))).toEqual(['confirmationId', 'challenge', 'expiresAt'])
  })

  it.each([
    { asked: 'the request', numberMatching: false, members: { numberMatching: true } },
    { asked: 'the option of the host', numberMatching: true, members: {} },
  ] as const)(
    'is refused without the header that shows the number, if $asked demands the number, and stores nothing',
    async ({ numberMatching, members }) => {
      const { test, initiate, token, deviceToken } = await given({ options: { numberMatching } })
      const input = { actionType: 'payment_approval', actionPayload: aPayment, ...members, extended: true }
      for (const value of [undefined, '', '0', 'true', '1, 1']) {
        const headers = value === undefined ? {} : { 'countersign-extended': value }
        const { status, body } = await test.call('confirmations.initiate', input, { token, headers })
        const takes = 'must be 1, because this approval needs the number that only an extended answer shows'
        expect([status, body]).toEqual([
          400,
          {
            message: `Countersign-Extended: ${takes}`,
            statusCode: 400,
            code: 'invalid_input',
            details: { 'Countersign-Extended': takes },
          },
        ])
      }
      const { confirmations } = await test.ask('confirmations.pending', {}, { token: deviceToken })
      expect(confirmations).toEqual([])
      expect(await initiate(members)).toHaveProperty('matchNumber')
    },
  )
})

describe('the client that asked', () => {
  it('is shown to the device by address and user agent, which the body cannot set', async () => {
    const { test, initiate, deviceToken } = await given()
    const forged = { address: '198.51.100.1', userAgent: 'forged' }
    await initiate(forged, { ...extended, 'user-agent': 'Mozilla/5.0' })
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: deviceToken })
    expect(confirmations[0]?.requestedFrom).toEqual({
      address: '203.0.113.1',
      userAgent: 'Mozilla/5.0',
      at: '2026-01-05T09:00:00.000Z',
    })
  })
})
