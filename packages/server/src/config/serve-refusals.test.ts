import { generateKeyRing, generateReceiptKeyRing, systemRandom } from '@countersign/core'
import { expect, test } from 'vitest'
import { type Environment, readConfig } from './read-config.ts'
import { serveRefusals } from './serve-refusals.ts'

const production = {
  NODE_ENV: 'production',
  COUNTERSIGN_DATABASE_URL: 'postgres://db.example.test/countersign',
  COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
  COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
}
const refusals = (env: Environment, host?: string) => serveRefusals(readConfig(env), host)

test.each([undefined, '', 'prod', 'production\r', 'Production'])(
  'with NODE_ENV %j, a server listens on the loopback address alone',
  (nodeEnv) => {
    const env = nodeEnv === undefined ? {} : { NODE_ENV: nodeEnv }
    for (const host of ['127.0.0.1', '::1', 'localhost']) expect(refusals({ ...env, COUNTERSIGN_HOST: host })).toEqual([])
    const line = expect.stringMatching(/^NODE_ENV: .* must be one of production, development, test for a server that listens on /)
    for (const host of ['0.0.0.0', '::', '192.0.2.1']) expect(refusals({ ...env, COUNTERSIGN_HOST: host })).toEqual([line])
    expect(refusals(env, '0.0.0.0')).toEqual([line])
    expect(refusals({ ...env, COUNTERSIGN_HOST: '0.0.0.0' }, '127.0.0.1')).toEqual([])
  },
)

test.each(['development', 'test'])('with NODE_ENV %j, a server listens on any address', (nodeEnv) => {
  expect(refusals({ NODE_ENV: nodeEnv, COUNTERSIGN_HOST: '0.0.0.0' })).toEqual([])
})

test('a production server needs keys of receipts, unless receipts are off or it serves no approvals', () => {
  expect(refusals(production)).toEqual([
    'COUNTERSIGN_RECEIPT_KEYS: must be set in production; `countersign keys generate --receipt` makes one. COUNTERSIGN_RECEIPTS=off starts without receipts',
  ])
  const receiptKeys = {
    COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
    COUNTERSIGN_RECEIPT_ISSUER: 'https://auth.example.test',
  }
  for (const more of [receiptKeys, { COUNTERSIGN_RECEIPTS: 'off' }, { COUNTERSIGN_PARTS: 'identity,projects' }]) {
    expect(refusals({ ...production, ...more })).toEqual([])
  }
  expect(refusals({})).toEqual([])
})
