import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type DeviceSigner, type TokenStore } from '@countersign/client-sdk'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { startRealServer } from '../../packages/server/src/testing/real-server.ts'
import { createTestApp } from '../../packages/server/src/testing/test-app.ts'
import { repository } from '../workspace.ts'
import { blocksOfTest } from './blocks-of-test.ts'

const blocks = blocksOfTest(import.meta.filename)
const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-phone-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The app's own modules, and the prompts that its user has seen. */
interface App {
  readonly store: TokenStore
  readonly biometricSigner: () => Promise<DeviceSigner>
  readonly client: Client
  readonly approveNewest: () => Promise<void>
  readonly prompts: readonly string[]
}

const standIn = (name: string): string => join(repository, 'tools', 'docs', 'stand-ins', `${name}.ts`)

/**
 * Bundles the files of the page as the bundler of an app does, with four phone libraries replaced. The test covers the order
 * of the calls, the signed data, and the encoding of keys and signatures, but not the hardware.
 */
const loadApp = async (baseUrl: string): Promise<App> => {
  for (const { text, marks } of blocks) {
    writeFileSync(join(directory, marks.get('title') ?? ''), text.replaceAll('https://auth.example.com', baseUrl))
  }
  const contents = `export * from './store'
    export * from './biometric-signer'
    export * from './approve-newest'
    export { prompts } from 'react-native-biometrics'`
  const outfile = join(directory, 'app.mjs')
  await build({
    stdin: { contents, resolveDir: directory, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@countersign/source'],
    alias: {
      '@countersign/client-sdk/display': join(repository, 'packages', 'client-sdk', 'src', 'display', 'index.ts'),
      '@countersign/client-sdk': join(repository, 'packages', 'client-sdk', 'src', 'index.ts'),
      '@react-native-async-storage/async-storage': standIn('async-storage'),
      'expo-crypto': standIn('expo-crypto'),
      'react-native-biometrics': standIn('react-native-biometrics'),
      'react-native-keychain': standIn('react-native-keychain'),
    },
    outfile,
  })
  return (await import(outfile)) as App
}

test('an app made of the files on the page registers, signs in and approves', async () => {
  const given = createTestApp()
  const server = await startRealServer(given)
  try {
    const app = await loadApp(server.url)
    const { email } = await createTestUser(given)
    await app.client.auth.login({ email, password: testPassword })
    const signer = await app.biometricSigner()
    await app.client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
    await app.client.mobile.login({ signer })

    const web = createClient({ baseUrl: server.url })
    await web.auth.login({ email, password: testPassword })
    const requested = await web.confirmations.request({
      actionType: 'payment_approval',
      actionPayload: { amount: 1250, currency: 'EUR', recipient: 'Ada’s Workshop' },
    })
    await app.approveNewest()
    expect(await requested.settled()).toMatchObject({ status: 'approved' })
    expect(app.prompts).toEqual(['Register this phone', 'Sign in', 'Payment\nPay: \u20681,250.00 EUR to Ada’s Workshop\u2069'])

    // The tokens are in the key chain, where the next start of the app finds them, and the key is the one that was created.
    expect(await app.store.get()).toBeDefined()
    expect((await app.biometricSigner()).deviceFingerprint).toBe(signer.deviceFingerprint)
    await app.client.auth.logout()
    expect(await app.store.get()).toBeUndefined()
  } finally {
    await server.close(1000)
  }
})
