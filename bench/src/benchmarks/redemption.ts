import { generateReceiptKeyRing } from '@countersign/core'
import { conversed } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { holdDevices } from '../seeds/held-device.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'

const CONVERSATIONS = 64

const APPROVED = 'approved'
const REDEEMED = 'approved and redeemed'
const service = 'bench'

export const redemption: Comparison = {
  kind: 'comparison',
  name: 'redemption',
  title: 'Redemption of an approval, SQLite',
  about:
    'One operation: a confirmation is initiated and approved by the signature of a device (ES256), and another service redeems the approval, which makes a receipt (Ed25519): three requests, three durable steps. Beside it the same without the redemption. 64 connections, each with its own device, rate limits off.',
  targets: [{ of: REDEEMED, to: APPROVED, bound: 0.5, means: 'of the same without the redemption' }],
  open: async (bench) => {
    const { database, filled: devices } = await fillDatabase(
      sqliteUrl(bench.directory, 'redemption'),
      async ({ countersign }) => {
        const scopes = ['confirmation.redeem:payment_approval']
        const { token } = await countersign.serviceTokens.issue({ service, scopes })
        const held = await holdDevices(countersign, 2 * CONVERSATIONS)
        return held.map((device) => ({ ...device, serviceName: service, serviceToken: token }))
      },
    )
    const receipts = {
      COUNTERSIGN_RECEIPTS: 'on',
      COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
      COUNTERSIGN_RECEIPT_ISSUER: 'https://auth.example.com',
    }
    const server = await startCountersign(bench, database, { ...noRateLimits, ...receipts })
    return [
      await conversed(bench, { name: REDEEMED, ...server }, 'redemption', devices.slice(CONVERSATIONS)),
      await conversed(bench, { name: APPROVED, ...server }, 'confirmation', devices.slice(0, CONVERSATIONS)),
    ]
  },
}
