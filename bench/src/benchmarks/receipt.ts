import type { ReceiptAlgorithm } from '@countersign/core'
import type { Bench } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { checksInChromium } from '../harness/in-chromium.ts'
import type { Round } from '../harness/round.ts'
import { takeTurns } from '../harness/take-turns.ts'
import { cpuMicrosOf } from '../report/result.ts'
import { approvedPayment } from '../seeds/approved-payment.ts'
import type { methods as bareMethods } from '../workers/bare-signatures.ts'
import type { methods as checkMethods } from '../workers/receipt-checks.ts'
import type { ReceiptWithKeys, methods as receiptMethods } from '../workers/receipts.ts'
import type { Figure, Figures } from './benchmark.ts'

const MICROSECONDS = 1e6
/** 5,000 receipts a second on one core. */
const MOST = MICROSECONDS / 5000

/** Opens a process that makes the receipt of one approval, and returns one such receipt. */
const openMaker = async (bench: Bench, algorithm: ReceiptAlgorithm): Promise<{ maker: Contender; made: ReceiptWithKeys }> => {
  const { database, filled: approved } = await fillDatabase(
    sqliteUrl(bench.directory, `receipt-${algorithm}`),
    ({ countersign }) => approvedPayment(countersign),
  )
  const worker = bench.startWorker<typeof receiptMethods>('workers/receipts.ts')
  const made = await worker.call('open', { database, ...approved, algorithm })
  return { maker: { name: algorithm, pid: worker.pid, round: (seconds) => worker.call('round', seconds) }, made }
}

/** Measures the making of a receipt, without HTTP. */
export const receipt: Figures = {
  kind: 'figures',
  name: 'receipt',
  title: 'Receipts made, SQLite',
  about:
    'Processor time of one receipt, through the core: the approval, the registration of the device and the user are read from SQLite, the encrypted fields are opened, and the receipt is signed. The device has an ES256 key. Beside it, the signature alone: `jose` signs the same claims with Ed25519. The bound of 200 µs is 5000 receipts a second on one core.',
  measure: async (bench) => {
    const { maker: ed25519, made } = await openMaker(bench, 'Ed25519')
    const { maker: es256 } = await openMaker(bench, 'ES256')
    const worker = bench.startWorker<typeof bareMethods>('workers/bare-signatures.ts')
    await worker.call('open', made.receipt)
    const bare: Contender = { name: 'jose', pid: worker.pid, round: (seconds) => worker.call('round', seconds) }
    const rounds = await takeTurns([ed25519, es256, bare], bench.turns, bench.tell)
    const figure = (what: string, at: number, most?: number): readonly Figure[] => {
      const values = (rounds[at] ?? []).map(cpuMicrosOf)
      return values.some(Number.isNaN) ? [] : [{ what, unit: 'µs', values, ...(most !== undefined && { most }) }]
    }
    return [...figure('signed with Ed25519', 0, MOST), ...figure('signed with ES256', 1), ...figure('the signature alone', 2)]
  },
}

/** Measures `verifyReceipt`, which needs neither a server nor a database. */
export const receiptVerify: Figures = {
  kind: 'figures',
  name: 'receipt-verify',
  title: 'Receipts verified offline',
  about:
    'Time of one `verifyReceipt`, one after another: the signature of the issuer (Ed25519), the three disclosures, the challenge, and two signatures of a device (ES256). In Node, and in a page of Chromium where one runs.',
  measure: async (bench) => {
    const { made } = await openMaker(bench, 'Ed25519')
    const worker = bench.startWorker<typeof checkMethods>('workers/receipt-checks.ts')
    await worker.call('open', made)
    const inChromium = await checksInChromium(bench, made)
    const places: readonly (readonly [what: string, round: (seconds: number) => Promise<Round>])[] = [
      ['in Node', (seconds) => worker.call('round', seconds)],
      ...(inChromium === undefined ? [] : ([['in Chromium', inChromium]] as const)),
    ]
    const { rounds, seconds, warmUpSeconds } = bench.turns
    const values = places.map((): number[] => [])
    for (const [, run] of warmUpSeconds > 0 ? places : []) await run(warmUpSeconds)
    for (let round = 0; round < rounds; round += 1) {
      bench.tell(`round ${round + 1} of ${rounds}`)
      for (const [at, [, run]] of places.entries()) {
        const done = await run(seconds)
        values[at]?.push((done.seconds / done.operations) * MICROSECONDS)
      }
    }
    return places.map(([what], at) => ({ what, unit: 'µs', values: values[at] ?? [] }))
  },
}
