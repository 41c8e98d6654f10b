import { expect, it, vi } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordingLogger } from '../../testing/recording-logger.ts'
import { receiptKeys } from './published-keys.ts'
import type { PublishedReceiptKey, ReceiptKeyStore } from './receipt-key.ts'
import { generateReceiptKeyRing, parseReceiptKeyRing } from './receipt-key-ring.ts'

const aStore = () => {
  const published: PublishedReceiptKey[] = []
  const all = vi.fn(async () => [...published])
  const publish = async (key: PublishedReceiptKey) => void published.push(key)
  return { all, publish } as Partial<ReceiptKeyStore> as ReceiptKeyStore & { readonly all: typeof all }
}

const given = () => {
  const [store, clock] = [aStore(), fakeClock()]
  const keys = receiptKeys({ store, clock, logger: recordingLogger() }, parseReceiptKeyRing(generateReceiptKeyRing()))
  return { store, clock, keys }
}

it('published keys are read once a second, however many receipts are signed', async () => {
  const { store, clock, keys } = given()
  await keys.signing(clock.now())
  const reads = store.all.mock.calls.length
  await keys.signing(clock.now())
  expect(store.all).toHaveBeenCalledTimes(reads)
  clock.advance(1000)
  await keys.signing(clock.now())
  expect(store.all).toHaveBeenCalledTimes(reads + 1)
})

it('keys that a transaction of the host published are not remembered, because the host may roll it back', async () => {
  const { store, clock, keys } = given()
  await keys.signing(clock.now(), aStore())
  expect(store.all).not.toHaveBeenCalled()
  await keys.signing(clock.now())
  expect(store.all).toHaveBeenCalled()
})
