import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startStopwatch } from '../../../../../tools/testing/stopwatch.ts'
import { startRealServer } from '../../testing/real-server.ts'
import { deviceLogin, initiatePayment, registerDevice, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const PATH = '/api/v1/auth/events'

let test: TestApp
let user: Awaited<ReturnType<typeof signInWithDevice>>
beforeEach(async () => {
  test = await createTestApp()
  user = await signInWithDevice(test)
})

/** The text of a body as it arrives. */
const reading = (response: Response) => {
  let text = ''
  let hasEnded = false
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async (): Promise<void> => {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) text += piece.value
    hasEnded = true
  }
  read().catch(() => {})
  onTestFinished(() => reader?.cancel().catch(() => {}))
  return {
    expectText: (expected: string) => expect.poll(() => text, { interval: 10 }).toBe(expected),
    expectEnd: async () => {
      const time = startStopwatch()
      await expect.poll(() => hasEnded, { interval: 10 }).toBe(true)
      expect(time()).toBeLessThan(1000)
    },
    cancel: () => reader?.cancel(),
  }
}

const START = 'event: read_again\ndata: {}\n\n'

describe.each([
  ['the app', async (headers: Record<string, string>) => test.app.request(PATH, { headers })],
  [
    'the server',
    async (headers: Record<string, string>) => {
      const server = await startRealServer(test)
      onTestFinished(() => server.close(0))
      return fetch(server.url + PATH, { headers })
    },
  ],
])('the event stream of %s', (_, get) => {
  const open = async (token: string) => {
    const response = await get({ authorization: `Bearer ${token}` })
    return { response, ...reading(response) }
  }

  it('sends each event as it happens, without any content of a confirmation', async () => {
    const { response, expectText } = await open(user.deviceToken)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    await expectText(START)
    const { confirmationId } = await initiatePayment(test, user.token)
    await expectText(`${START}event: confirmation\ndata: {"id":"${confirmationId}","status":"pending"}\n\n`)
  })

  it('asks a client with any `Last-Event-ID` to read everything again, because no event has an id', async () => {
    const { expectText } = reading(await get({ authorization: `Bearer ${user.token}`, 'last-event-id': '1' }))
    await expectText(START)
    const { confirmationId } = await initiatePayment(test, user.token)
    await expectText(`${START}event: confirmation\ndata: {"id":"${confirmationId}","status":"pending"}\n\n`)
  })

  it('reports a rejection', async () => {
    const { expectText } = await open(user.token)
    const { confirmationId } = await initiatePayment(test, user.token)
    const pending = `${START}event: confirmation\ndata: {"id":"${confirmationId}","status":"pending"}\n\n`
    await expectText(pending)
    await test.ask('confirmations.reject', { confirmationId }, { token: user.deviceToken })
    await expectText(`${pending}event: confirmation\ndata: {"id":"${confirmationId}","status":"rejected"}\n\n`)
  })

  it('reports a vouching, and the trust that it gives', async () => {
    const headers = { 'Countersign-Extended': '1' }
    // The web session must no longer trust a device by itself.
    test.clock.advance(11 * 60_000)
    const token = (await deviceLogin(test, user)).accessToken
    const { expectText } = await open(token)
    const { confirmationId, matchNumber = '' } = (await registerDevice(test, user.token, { headers })).answer
    const pending = `${START}event: confirmation\ndata: {"id":"${confirmationId}","status":"pending"}\n\n`
    await expectText(pending)
    const [asked] = (await test.ask('confirmations.pending', {}, { token })).confirmations
    const signed = { deviceId: user.device.id, signedChallenge: user.signer.sign(asked?.challenge ?? ''), matchNumber }
    await test.ask('confirmations.verify', { confirmationId: confirmationId ?? '', ...signed }, { token })
    await expectText(
      `${pending}event: confirmation\ndata: {"id":"${confirmationId}","status":"approved"}\n\nevent: account\ndata: {}\n\n`,
    )
  })

  it('sends a comment as a sign of life', async () => {
    const { expectText } = await open(user.token)
    test.clock.advance(14_000)
    await expectText(`${START}: \n\n`)
  })

  it('ends properly after the logout of its session', async () => {
    const { expectEnd } = await open(user.token)
    await test.call('auth.logout', { refreshToken: user.tokens.refreshToken }, { token: user.token })
    await expectEnd()
  })

  it('is removed when its client goes away', async () => {
    const { expectText, cancel } = await open(user.token)
    await expectText(START)
    expect(test.countersign.events.count()).toBe(1)
    await cancel()
    await expect.poll(() => test.countersign.events.count()).toBe(0)
  })

  it('does not accept the token in a cookie or in the URL', async () => {
    for (const headers of [{}, { cookie: `token=${user.token}` }]) expect((await get(headers)).status).toBe(401)
    expect((await test.app.request(`${PATH}?token=${user.token}&access_token=${user.token}`)).status).toBe(401)
  })

  it('is refused with 503 while the process ends, so that the client polls', async () => {
    test.countersign.events.end()
    const { response } = await open(user.token)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('5')
  })
})

describe('the event stream', () => {
  it('opens no stream for HEAD', async () => {
    const response = await test.app.request(PATH, { method: 'HEAD', headers: { authorization: `Bearer ${user.token}` } })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(test.countersign.events.count()).toBe(0)
  })
})
