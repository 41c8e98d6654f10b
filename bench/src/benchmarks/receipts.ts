import { builtInWords, renderDisplay } from '@countersign/contract/display'
import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { openStorage } from '@countersign/server'
import { CompactSign, generateKeyPair } from 'jose'
import { scaled } from '../harness/bench.ts'
import { newKeys, openCore, sqliteFile } from '../harness/countersign.ts'
import { figures } from '../measure.ts'
import { approvePayment, confirmedAction, holdDevice } from '../seeds.ts'

/** The processor time of one call in microseconds, by that of this many calls, one after another. */
const costOf = async (calls: number, call: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  for (let each = 0; each < calls; each += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

/** Measures what a statement and a receipt cost beside the signature that a receipt cannot do without. */
export const receipts = figures({
  name: 'receipts',
  title: 'Statements and receipts',
  about:
    'Processor time, one call after another. A receipt of an ordinary payment is read from SQLite, decrypted, and signed. The raw signature is a JWS of as many bytes by `jose`, the library that signs receipts, with an Ed25519 key too. The words are those of the payment in the five languages of the product.',
  measure: async (bench) => {
    const storage = await openStorage(`sqlite:${sqliteFile(bench, 'receipts')}`)
    bench.own(storage)
    await storage.migrate()
    const signed = { keys: parseReceiptKeyRing(generateReceiptKeyRing()), issuer: 'https://auth.example.com' }
    const countersign = openCore(storage, newKeys(), { receipts: signed })
    const device = await holdDevice(countersign)
    const confirmationId = await approvePayment(countersign, device)
    const caller = await countersign.auth.authenticate({ token: device.accessToken })
    const receipt = () => countersign.receipts.ofUser({ caller, confirmationId })
    const { privateKey } = await generateKeyPair('Ed25519')
    const payload = Buffer.from((await receipt()).split('.')[1] ?? '', 'base64url')
    const signature = () => new CompactSign(payload).setProtectedHeader({ alg: 'Ed25519' }).sign(privateKey)
    const asked = { requester: 'Ada', onBehalfOf: null, scope: null, context: null }
    const words = () => renderDisplay(builtInWords.payment_approval, confirmedAction.actionPayload, asked)
    const costs = { receipt: [] as number[], signature: [] as number[], words: [] as number[] }
    for (let round = bench.turns.warmUpSeconds > 0 ? -1 : 0; round < bench.turns.rounds; round += 1) {
      bench.tell(`round ${round + 1} of ${bench.turns.rounds}`)
      for (const [name, call] of Object.entries({ receipt, signature, words })) {
        const cost = await costOf(scaled(bench, 5000), call)
        if (round >= 0) costs[name as keyof typeof costs].push(cost)
      }
    }
    const beyond = costs.receipt.map((cost, round) => cost - (costs.signature[round] ?? Number.NaN))
    return [
      { what: 'a receipt beyond one raw signature', unit: 'µs', values: beyond, most: 200 },
      { what: 'a raw signature', unit: 'µs', values: costs.signature },
      { what: 'the words of a payment', unit: 'µs', values: costs.words },
    ]
  },
})
