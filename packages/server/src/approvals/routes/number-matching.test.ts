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

const otherThan = (matchNumber: string | undefined) => (matchNumber === '00' ? '01' : '00')

describe('number matching', () => {
  it('gives the number to the page that asks for an extended answer, and nowhere else', async () => {
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

  it('leaves the answer of the contract as it is', async () => {
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

  it('refuses a missing number with 400, a wrong number with 401, and rejects at the second wrong number', async () => {
    const { initiate, verify } = await given()
    const initiated = await initiate({ numberMatching: true })
    const missing = 'matchNumber: must be the two digits that the asking page shows'
    expect([(await verify(initiated)).status, (await verify(initiated)).body]).toEqual([
      400,
      expect.objectContaining({ message: missing, code: 'invalid_input' }),
    ])
    for (const malformed of [7, '7', '', 'ab', null]) expect((await verify(initiated, malformed)).status).toBe(400)
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { status, body } = await verify(initiated, otherThan(initiated.matchNumber))
      expect([status, body]).toEqual([401, { message: 'Wrong number', statusCode: 401, code: 'wrong_match_number' }])
    }
    expect((await verify(initiated, initiated.matchNumber)).status).toBe(410)
  })

  it('approves with the number of the page', async () => {
    const { initiate, verify } = await given()
    const initiated = await initiate({ numberMatching: true })
    expect((await verify(initiated, initiated.matchNumber)).status).toBe(200)
  })
})

describe('the client that asked', () => {
  it('is shown to the device by address and user agent, and cannot be set by the body', async () => {
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

describe('a rejection with `notMe`', () => {
  it('ends the session that asked, and needs the session of a trusted device', async () => {
    const { test, initiate, token, deviceToken } = await given()
    const { confirmationId } = await initiate()
    const refused = await test.call('confirmations.reject', { confirmationId, notMe: true }, { token })
    expect([refused.status, refused.body]).toEqual([
      403,
      { message: 'Insufficient trust level', statusCode: 403, code: 'insufficient_trust_level' },
    ])
    const rejected = await test.call('confirmations.reject', { confirmationId, notMe: true }, { token: deviceToken })
    expect(rejected.status).toBe(200)
    expect((await test.call('devices.list', {}, { token })).status).toBe(401)
    expect((await test.call('devices.list', {}, { token: deviceToken })).status).toBe(200)
  })
})
