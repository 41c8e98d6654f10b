import { generateReceiptKeyRing } from '@countersign/core'
import { signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { freePort } from '../../../tools/testing/free-port.ts'
import { haproxyIsThere, startHaproxy } from '../../../tools/testing/start-haproxy.ts'
import { openCore } from '../src/testing/open-core.ts'
import { createWorkplace } from '../src/testing/run-command.ts'
import { startServer } from '../src/testing/start-server.ts'

vi.setConfig({ testTimeout: 60_000 })

/** HAProxy notices within two checks that a server drains. The times are a third of those in `deploy`. */
const DRAIN_SECONDS = '1'
const CHECKED_EVERY = '300ms'
const SERVICES = 4

const payment = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

/** Two servers on one PostgreSQL database behind HAProxy, with a user whose phone approves. */
const given = async () => {
  const { url, drop } = await createPostgresDatabase()
  const here = createWorkplace({
    COUNTERSIGN_DATABASE_URL: url,
    COUNTERSIGN_RATE_LIMITS: 'off',
    COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
    COUNTERSIGN_DRAIN_SECONDS: DRAIN_SECONDS,
  })
  onTestFinished(() => here.remove())
  onTestFinished(drop)
  const core = await openCore(here)
  onTestFinished(() => core.close())
  const ports = [await freePort(), await freePort()]
  const start = (port: number) => startServer(here, [], port)
  const servers = await Promise.all(ports.map(start))
  onTestFinished(async () => {
    for (const server of servers) await server.stop('SIGKILL')
  })
  const { inside } = await startHaproxy(ports, CHECKED_EVERY)
  const user = await signInNewDeviceUser(core)
  const { confirmations, serviceTokens } = core.countersign
  const approved = async (): Promise<string> => {
    const { id, challenge } = await confirmations.initiate({ caller: user.web.caller, ...payment })
    const signedChallenge = user.signer.sign(challenge)
    await confirmations.approve({ caller: user.mobile.caller, confirmationId: id, deviceId: user.device.id, signedChallenge })
    return id
  }
  const scopes = ['confirmation.redeem:payment_approval']
  const { token } = await serviceTokens.issue({ service: 'billing', scopes })
  return {
    /** Approves a payment on the phone, and redeems the approval through HAProxy. Resolves with the status of the answer. */
    redeem: async () => {
      const id = await approved()
      const body = JSON.stringify({ userId: user.user.id, ...payment })
      const headers = { authorization: `Bearer ${token}`, 'x-service-name': 'billing', 'content-type': 'application/json' }
      const response = await fetch(`${inside}/internal/confirmations/${id}/redeem`, { method: 'POST', headers, body })
      await response.text()
      return response.status
    },
    restartEach: async () => {
      for (const [index, port] of ports.entries()) {
        expect(await servers[index]?.stop('SIGTERM')).toBe(0)
        const server = await start(port)
        servers[index] = server
        // Then HAProxy sends requests there again.
        await expect.poll(() => server.lines.some((line) => line.includes('/redeem')), { timeout: 10_000 }).toBe(true)
      }
    },
  }
}

it.runIf(haproxyIsThere)('a rolling restart of two servers behind HAProxy refuses no redemption of a service', async () => {
  const { redeem, restartEach } = await given()
  await expect.poll(redeem, { timeout: 10_000 }).toBe(200)
  let isOver = false
  const answers: unknown[] = []
  const services = Array.from({ length: SERVICES }, async () => {
    while (!isOver) answers.push(await redeem().catch(String))
  })
  await restartEach()
  isOver = true
  await Promise.all(services)
  expect(answers.length).toBeGreaterThan(20)
  expect(answers.filter((answer) => answer !== 200)).toEqual([])
})
