import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { exampleKeys, subscriptionToken } from '../../../server/src/testing/browser-subscription.ts'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
let core: OpenCountersign
let ada: DeviceUser
let receiver: Server
let env: Record<string, string>
const answers: Record<string, number> = { 'a token': 204, 'a gone token': 410, 'a refused token': 400 }

beforeAll(async () => {
  here = createWorkplace()
  core = await openCore(here)
  ada = await signInNewDeviceUser(core, { pushToken: 'a token' })
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      if (request.url === '/gone') return response.writeHead(410).end('canary')
      const { type, data } = JSON.parse(body) as { type: string; data: { pushToken: string } }
      response.writeHead(type === 'push.test' ? (answers[data.pushToken] ?? 500) : 500).end('canary')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  env = {
    COUNTERSIGN_PUSH: 'webhook',
    COUNTERSIGN_PUSH_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  }
})
const webPush = {
  COUNTERSIGN_PUSH: 'webpush',
  COUNTERSIGN_VAPID_PUBLIC_KEY: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  COUNTERSIGN_VAPID_PRIVATE_KEY: exampleKeys.privateKey,
  COUNTERSIGN_VAPID_SUBJECT: 'mailto:security@example.com',
}
afterAll(async () => {
  receiver.close()
  await core.close()
  here.remove()
})

const tried = ['push', 'test', '--user'] as const

test('a test message goes to each device of the user, and the command says what the provider answered', async () => {
  const delivered = {
    deviceId: ada.device.id,
    deviceName: ada.device.deviceName,
    provider: 'webhook',
    outcome: 'delivered',
    reason: null,
  }
  expect(await here.json([...tried, ada.user.email], { env })).toEqual([delivered])
  const add = async (pushToken?: string) =>
    (await registerTestDevice(core, ada.web.caller, pushToken ? { pushToken } : {})).device.id
  const [gone, refused, none] = [await add('a gone token'), await add('a refused token'), await add()]
  const { code, stdout } = await here.run([...tried, ada.user.email, '--json'], { env })
  const rows = JSON.parse(stdout) as { deviceId: string; outcome: string; reason: string | null }[]
  const outcomeOf = (id: string | undefined) => {
    const { outcome, reason } = rows.find(({ deviceId }) => deviceId === id) ?? {}
    return [outcome, reason]
  }
  expect([code, ...[ada.device.id, gone, refused, none].map(outcomeOf)]).toEqual([
    1,
    ['delivered', null],
    ['gone', 'PushTokenGone'],
    ['failed', 'HTTP_400'],
    ['not_sent', 'no_push_token'],
  ])
  expect(stdout).not.toMatch(/canary|a token/)
  expect((await core.storage.devices.ofUser(ada.user.id, gone))?.pushToken).toBeNull()
})

test('a test by Web Push reports a subscription that no longer exists, and sends nothing to a device on probation', async () => {
  const bob = await signInNewDeviceUser(core, { pushToken: subscriptionToken(`${env.COUNTERSIGN_PUSH_WEBHOOK_URL}gone`) })
  const vouching = await openCore({ env: { ...here.env, COUNTERSIGN_ENROLMENT: 'vouched' } })
  onTestFinished(() => vouching.close())
  const { device } = await registerTestDevice(vouching, bob.web.caller, { pushToken: 'a token of a thief' })
  const { stdout } = await here.run([...tried, bob.user.email, '--json'], { env: webPush })
  expect(JSON.parse(stdout)).toMatchObject([
    { deviceId: bob.device.id, provider: 'webpush', outcome: 'gone', reason: 'PushTokenGone' },
    { deviceId: device.id, provider: null, outcome: 'not_sent', reason: 'on_probation' },
  ])
  expect((await core.storage.devices.ofUser(bob.user.id, bob.device.id))?.pushToken).toBeNull()
})

test('people see a table after the command that the document shows', async () => {
  const page = readFileSync(new URL('../../../../docs/push.md', import.meta.url), 'utf8')
  const [, shown = ''] = page.split('sh by=packages/cli/src/identity/push.test.ts\nnpx countersign ')
  const { stdout } = await here.run((shown.split('\n')[0] ?? '').split(' ').with(-1, ada.user.email), { env })
  expect(stdout).toMatch(new RegExp(`^${ada.device.id}\t.*\twebhook\tdelivered\t`, 'm'))
})

test('nothing is sent without a provider, or to an unknown user', async () => {
  const without = await here.run([...tried, ada.user.email])
  expect(without).toMatchObject({ code: 1, stderr: 'error: COUNTERSIGN_PUSH is none, so no message is sent\n' })
  expect(await here.run([...tried, 'eve@example.com'], { env })).toMatchObject({ code: 1, stderr: 'error: User not found\n' })
})
