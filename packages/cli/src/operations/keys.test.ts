import { createECDH } from 'node:crypto'
import { parseEnv } from 'node:util'
import { parseKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { expect, test } from 'vitest'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'

const here = workplaceOfFile()

const expectKeys = (variables: Readonly<Record<string, string | undefined>>) => {
  expect(Object.keys(variables).sort()).toEqual(['COUNTERSIGN_ENCRYPTION_KEYS', 'COUNTERSIGN_JWT_KEYS'])
  const rings = Object.values(variables).map((text) => parseKeyRing(text ?? '', { exactly: true }))
  expect(new Set(rings.map(({ current }) => Buffer.from(current.secret).toString('hex'))).size).toBe(2)
}

test('both variables get a new key at each call', async () => {
  const [first, second] = await Promise.all([here.json(['keys', 'generate']), here.json(['keys', 'generate'])])
  expectKeys(first as Record<string, string>)
  expectKeys(second as Record<string, string>)
  expect(first).not.toEqual(second)
})

test.each([[['--json', 'keys', 'generate']], [['keys', '--json', 'generate']]])('--json is accepted in %j', async (args) => {
  const { code, stdout, stderr } = await here.run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expectKeys(JSON.parse(stdout))
})

test('the text output can be appended to a .env file', async () => {
  const { stdout } = await here.run(['keys', 'generate'])
  expectKeys(parseEnv(stdout))
})

test.each([
  [['--receipt'], 'Ed25519'],
  [['--receipt', '--alg', 'ES256'], 'ES256'],
  [['--alg', 'ES256'], 'ES256'],
])('%j prints a new receipt key each time, and no other key', async (options, alg) => {
  const generate = async () => (await here.json(['keys', 'generate', ...options])) as Record<string, string>
  const answers = [await generate(), await generate()]
  for (const answer of answers) expect(Object.keys(answer)).toEqual(['COUNTERSIGN_RECEIPT_KEYS'])
  const keys = answers.flatMap(({ COUNTERSIGN_RECEIPT_KEYS: ring = '' }) => parseReceiptKeyRing(ring).keys)
  expect(keys.map((key) => key.alg)).toEqual([alg, alg])
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2)
})

test('an unknown algorithm is refused', async () => {
  const { code, stderr } = await here.run(['keys', 'generate', '--receipt', '--alg', 'RS256'])
  expect(code).toBe(2)
  expect(stderr).toContain('Ed25519, ES256')
})

test('--vapid prints a new key pair for Web Push each time, and no other key', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => here.json(['keys', 'generate', '--vapid'])))
  for (const answer of [first, second]) {
    const {
      COUNTERSIGN_VAPID_PUBLIC_KEY: publicKey = '',
      COUNTERSIGN_VAPID_PRIVATE_KEY: privateKey = '',
      ...rest
    } = answer as Record<string, string>
    expect([rest, Buffer.from(publicKey, 'base64url').length, Buffer.from(privateKey, 'base64url').length]).toEqual([{}, 65, 32])
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey, 'base64url')
    expect(pair.getPublicKey('base64url')).toBe(publicKey)
  }
  expect(first).not.toEqual(second)
})
