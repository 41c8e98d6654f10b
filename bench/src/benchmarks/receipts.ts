import { builtInWords, renderDisplay } from '@countersign/contract/display'
import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { CompactSign, generateKeyPair } from 'jose'
import { confirmedAction } from '../device.ts'
import { scaled } from '../harness/bench.ts'
import { openCore } from '../harness/countersign.ts'
import { inRounds } from '../harness/round.ts'
import { figures } from '../measure.ts'
import { holdDevice } from '../seeds.ts'

/** The processor time of one call in microseconds, as the mean of this many calls, one after another. */
const costOf = async (calls: number, call: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  for (let each = 0; each < calls; each += 1) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

/** Measures what a statement and a receipt cost in addition to the signature that a receipt cannot do without. */
export const receipts = figures({
  name: 'receipts',
  title: 'Statements and receipts',
  about:
    'Processor time, one call after another. A receipt of an ordinary payment is read from SQLite, decrypted, and signed. The raw signature is a JWS of as many bytes by `jose`, the library that signs receipts, with an Ed25519 key too. The words are those of the payment in the five languages of the product.',
  measure: async (bench) => {
    const signed = { keys: parseReceiptKeyRing(generateReceiptKeyRing()), issuer: 'https://auth.example.com' }
    const { countersign, storage } = await openCore(bench, 'SQLite', { receipts: signed })
    bench.own(storage)
    const { caller, approve } = await holdDevice(countersign)
    const confirmationId = await approve()
    const receipt = () => countersign.receipts.ofUser({ caller, confirmationId })
    const { privateKey } = await generateKeyPair('Ed25519')
    const payload = Buffer.from((await receipt()).split('.')[1] ?? '', 'base64url')
    const signature = () => new CompactSign(payload).setProtectedHeader({ alg: 'Ed25519' }).sign(privateKey)
    const asked = { requester: 'Ada', onBehalfOf: null, tenant: null, context: null }
    const words = () => renderDisplay(builtInWords.payment_approval, confirmedAction.actionPayload, asked)
    const costs = { beyond: [] as number[], signature: [] as number[], words: [] as number[] }
    await inRounds(bench, async (round) => {
      const ofReceipt = await costOf(scaled(bench, 5000), receipt)
      const ofSignature = await costOf(scaled(bench, 5000), signature)
      const ofWords = await costOf(scaled(bench, 5000), words)
      if (round === 0) return
      costs.beyond.push(ofReceipt - ofSignature)
      costs.signature.push(ofSignature)
      costs.words.push(ofWords)
    })
    return [
      { what: 'a receipt beyond one raw signature', unit: 'µs', values: costs.beyond, most: 200 },
      { what: 'a raw signature', unit: 'µs', values: costs.signature },
      { what: 'the words of a payment', unit: 'µs', values: costs.words },
    ]
  },
})
