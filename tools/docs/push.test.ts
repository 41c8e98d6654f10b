import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { createClient } from '@countersign/client-sdk'
import { operations, shapes } from '@countersign/contract'
import { silentLogger } from '@countersign/core'
import { createTestUser, registerTestDevice, signIn, signInNewDeviceUser } from '@countersign/core/testing'
import { createApp, readConfig } from '@countersign/server'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { openCore } from '../../packages/cli/src/testing/open-core.ts'
import { createWorkplace } from '../../packages/cli/src/testing/run-command.ts'
import { createPush } from '../../packages/server/src/identity/push/create-push.ts'
import { notificationOf } from '../../packages/server/src/identity/push/notification.ts'
import { startWebhookReceiver } from '../../packages/server/src/testing/webhook-receiver.ts'
import { capture } from '../capture.ts'
import { repository } from '../workspace.ts'
import { type Block, blocksOfTest, parsePage } from './page.ts'
import { installPackages } from './stage.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-push-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const inTest = blocksOfTest(import.meta.filename)
const ofPage = parsePage('docs/push.md', readFileSync(join(repository, 'docs/push.md'), 'utf8')).blocks
const textIn = (blocks: readonly Block[], language: string): string =>
  blocks.find((block) => block.language === language)?.text ?? ''
const run = (language: string): string => textIn(inTest, language)
const shown = (language: string): string => textIn(ofPage, language)

/** A service, and a client of a user with a phone. */
const given = async () => {
  const { countersign, storage } = await createTestCountersign()
  const app = createApp(countersign, { version: '1.0.0' })
  const ada = await signInNewDeviceUser({ countersign })
  const client = createClient({ baseUrl: 'https://auth.example.com', fetch: async (request) => app.fetch(request) })
  await client.adopt(ada.web.tokens)
  const pushTokenOf = async () => (await storage.devices.ofUser(ada.user.id, ada.device.id))?.pushToken ?? null
  return { app, client, deviceId: ada.device.id, token: ada.web.tokens.accessToken, pushTokenOf }
}

test('an app sends its push token with the shown request', async () => {
  const { app, deviceId, token, pushTokenOf } = await given()
  const [line = '', ...body] = run('http').split('\n')
  const [method = '', path = ''] = line.split(' ')
  const shownBody = JSON.parse(body.join('\n')) as Record<string, string>
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sent = JSON.stringify({ ...shownBody, deviceId, pushToken: 'a token' })
  expect(await pushTokenOf()).toBeNull()
  const { status } = await app.request(path, { method, headers, body: sent })
  expect([status, await pushTokenOf()]).toEqual([200, expect.anything()])
  expect(Object.keys(shownBody).sort()).toEqual(Object.keys(shapes['devices.setPushToken'].input.shape).sort())
})

test('with the shown settings, the tokens that the Swift app makes go to Apple', async () => {
  const key = join(directory, 'apns.p8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const settings = parseEnv(run('dotenv').replace('/run/secrets/apns.p8', key)) as Record<string, string>
  const { push } = readConfig(settings)
  expect(push).toMatchObject([{ provider: 'apns', keyFile: key, topic: settings.COUNTERSIGN_APNS_TOPIC }])
  const { provider, stop } = await createPush(push, { logger: silentLogger })
  onTestFinished(stop)
  const [, format = ''] = /String\(format: "%0(2x)"/.exec(shown('swift')) ?? []
  expect(format).toBe('2x')
  const pushToken = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('')
  expect(provider.providerOf?.(pushToken)).toBe('apns')
})

test('the apps in Swift and Kotlin name members of the contract and of the message', () => {
  const { data } = notificationOf({
    ...{ type: 'confirmation.requested', pushToken: 'a token', deviceId: 'a device', expiresAt: 0 },
    ...{ confirmationId: 'conf_1', actionType: 'payment_approval', count: 1 },
  })
  for (const [language, calls, reads] of [
    ['swift', /send\((\w+):/g, /userInfo\["(\w+)"\]/g],
    ['kotlin', /send\((\w+) =/g, /getStringExtra\("(\w+)"\)/g],
  ] as const) {
    const namesIn = (pattern: RegExp) => [...shown(language).matchAll(pattern)].map(([, name]) => name)
    expect([namesIn(calls), namesIn(reads)], language).toEqual([['pushToken'], ['confirmationId']])
  }
  expect(Object.keys(data)).toContain('confirmationId')
  expect(Object.keys(shapes['devices.setPushToken'].input.shape)).toContain('pushToken')
  const { method, path } = operations['devices.setPushToken']
  expect(run('http')).toContain(`${method} ${path}\n`)
})

/** The documented functions of `expo-notifications` that the page uses (docs.expo.dev/versions/latest/sdk/notifications). */
const expo = {
  'index.d.ts': `
    export interface DevicePushToken { readonly type: 'ios' | 'android'; readonly data: string }
    export declare function requestPermissionsAsync(): Promise<{ readonly status: 'granted' | 'denied' | 'undetermined' }>
    export declare function getDevicePushTokenAsync(): Promise<DevicePushToken>
    export declare function addPushTokenListener(listener: (token: DevicePushToken) => void): { remove(): void }`,
  'index.js': `
    export const requestPermissionsAsync = async () => ({ status: globalThis.permission })
    export const getDevicePushTokenAsync = async () => ({ type: 'android', data: 'the first token' })
    export const addPushTokenListener = (listener) => {
      globalThis.replaceToken = (data) => listener({ type: 'android', data })
      return { remove: () => {} }
    }`,
  'package.json': '{ "name": "expo-notifications", "type": "module", "main": "index.js", "types": "index.d.ts" }',
}

test('an Expo app sends its token, and each one that replaces it, through the documented functions of expo-notifications', async () => {
  const folder = join(directory, 'node_modules', 'expo-notifications')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(expo)) writeFileSync(join(folder, name), text)
  installPackages(directory, [])
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(directory, 'app.d.ts'),
    "declare const client: import('@countersign/client-sdk').Client\ndeclare const deviceId: string\n",
  )
  for (const name of ['checked.ts', 'denied.js', 'granted.js']) writeFileSync(join(directory, name), run('js'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023', '--module', 'preserve']
  const tsc = join(repository, 'node_modules', '.bin', 'tsc')
  const { ok, output } = await capture(tsc, [...options, 'checked.ts', 'app.d.ts'], directory)
  expect(ok, output).toBe(true)

  const { client, deviceId, pushTokenOf } = await given()
  const sent: unknown[] = []
  const { setPushToken } = client.devices
  const devices = {
    ...client.devices,
    setPushToken: async (input: Parameters<typeof setPushToken>[0]) => {
      await setPushToken(input)
      sent.push(input)
    },
  }
  vi.stubGlobal('client', { ...client, devices })
  vi.stubGlobal('deviceId', deviceId)
  vi.stubGlobal('replaceToken', undefined)
  for (const permission of ['denied', 'granted']) {
    vi.stubGlobal('permission', permission)
    await import(pathToFileURL(join(directory, `${permission}.js`)).href)
    expect(sent).toEqual(permission === 'denied' ? [] : [{ deviceId, pushToken: 'the first token' }])
  }
  const { replaceToken } = globalThis as unknown as { readonly replaceToken: (token: string) => Promise<void> }
  await replaceToken('the second token')
  expect(sent[1]).toEqual({ deviceId, pushToken: 'the second token' })
  expect(await pushTokenOf()).not.toBeNull()
})

test('the shown command sends a test message to a phone', async () => {
  const here = createWorkplace()
  onTestFinished(() => here.remove())
  const core = await openCore(here)
  onTestFinished(() => core.close())
  const [command, ...args] = run('sh').replace(/^npx /, '').split(' ')
  const email = args.at(-1) ?? ''
  const { caller } = await signIn(core, await createTestUser(core, { email }))
  await registerTestDevice(core, caller, { pushToken: 'a token' })
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.close())
  const { code, stdout } = await here.run(args, {
    env: {
      COUNTERSIGN_PUSH: 'webhook',
      COUNTERSIGN_PUSH_WEBHOOK_URL: receiver.url,
      COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    },
  })
  expect([command, code, stdout]).toEqual(['countersign', 0, expect.stringMatching(/\twebhook\tdelivered\t/)])
  expect(receiver.received.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type)).toEqual(['push.test'])
})
