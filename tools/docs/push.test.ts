import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { createClient } from '@countersign/client-sdk'
import { shapes } from '@countersign/contract'
import { silentLogger } from '@countersign/core'
import { signInNewDeviceUser } from '@countersign/core/testing'
import { createApp, readConfig } from '@countersign/server'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPush } from '../../packages/server/src/identity/push/create-push.ts'
import { notificationOf } from '../../packages/server/src/identity/push/notification.ts'
import { type Block, blocksOfTest, readDocuments } from './page.ts'
import { createApp as createAppFolder } from './testing/stage.ts'

const directory = createAppFolder()
const blocks = readDocuments().flatMap((page) => (page.path === 'docs/push.md' ? page.blocks : []))
const textOf = (name: string, all: readonly Block[] = blocks) => all.find(({ language }) => language === name)?.text ?? ''
const run = (language: string): string => textOf(language, blocksOfTest(import.meta.filename))

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
  const [, method = '', path = '', shownText = ''] = /^(\S+) (\S+)\n([\s\S]*)/.exec(run('http')) ?? []
  const shownBody = JSON.parse(shownText) as Record<string, string>
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sent = JSON.stringify({ ...shownBody, deviceId, pushToken: 'a token' })
  expect(await pushTokenOf()).toBeNull()
  const { status } = await app.request(path, { method, headers, body: sent })
  expect([status, await pushTokenOf()]).toEqual([200, expect.anything()])
  expect(Object.keys(shownBody).sort()).toEqual(Object.keys(shapes['devices.setPushToken'].input.shape).sort())
})

test('with the shown settings, push tokens of the Swift app are sent to Apple', async () => {
  const key = join(directory, 'apns.p8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const settings = parseEnv(run('dotenv').replace('/run/secrets/apns.p8', key)) as Record<string, string>
  const { push } = readConfig(settings)
  expect(push).toMatchObject([{ provider: 'apns', keyFile: key, topic: settings.COUNTERSIGN_APNS_TOPIC }])
  const { provider, stop } = await createPush(push, { logger: silentLogger })
  onTestFinished(stop)
  expect(textOf('swift')).toContain('String(format: "%02x"')
  const pushToken = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('')
  expect(provider.providerOf?.(pushToken)).toBe('apns')
})

test('the apps in Swift and Kotlin name members of the contract and of the message', () => {
  const message = { type: 'confirmation.requested', pushToken: 'a token', deviceId: 'a device', expiresAt: 0 } as const
  const { data } = notificationOf({ ...message, confirmationId: 'conf_1', actionType: 'payment_approval', count: 1 })
  for (const [language, calls, reads] of [
    ['swift', /send\((\w+):/g, /userInfo\["(\w+)"\]/g],
    ['kotlin', /send\((\w+) =/g, /getStringExtra\("(\w+)"\)/g],
  ] as const) {
    const namesIn = (pattern: RegExp) => [...textOf(language).matchAll(pattern)].map(([, name]) => name)
    expect([namesIn(calls), namesIn(reads)], language).toEqual([['pushToken'], ['confirmationId']])
  }
  expect(Object.keys(data)).toContain('confirmationId')
})

/** The documented functions of `expo-notifications` that the page uses (docs.expo.dev/versions/latest/sdk/notifications). */
const expo = `
  export const requestPermissionsAsync = async () => ({ status: globalThis.permission })
  export const getDevicePushTokenAsync = async () => ({ type: 'android', data: 'the first token' })
  export const addPushTokenListener = (listener) => {
    globalThis.replaceToken = (data) => listener({ type: 'android', data })
    return { remove: () => {} }
  }`

test('an Expo app sends its push token, and each new token, through the documented functions of expo-notifications', async () => {
  const folder = join(directory, 'node_modules', 'expo-notifications')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.js'), expo)
  for (const name of ['denied.js', 'granted.js']) writeFileSync(join(directory, name), run('js'))
  const { client, deviceId, pushTokenOf } = await given()
  const setPushToken = vi.fn(client.devices.setPushToken)
  const page = { client: { devices: { setPushToken } }, deviceId, permission: '', replaceToken: async (_token: string) => {} }
  const tokenAfter = async (permission: string) => {
    for (const [name, value] of Object.entries({ ...page, permission })) vi.stubGlobal(name, value)
    await import(pathToFileURL(join(directory, `${permission}.js`)).href)
    return pushTokenOf()
  }
  expect([await tokenAfter('denied'), setPushToken.mock.calls]).toEqual([null, []])
  expect(await tokenAfter('granted')).not.toBeNull()
  await (globalThis as unknown as typeof page).replaceToken('the second token')
  const sent = ['the first token', 'the second token'].map((pushToken) => [{ deviceId, pushToken }])
  expect(setPushToken.mock.calls).toEqual(sent)
})
