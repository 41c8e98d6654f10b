import { type ReceiptKeys, type ReceiptVerdict, verifyReceipt } from '@countersign/client-sdk/receipt'
import { signal } from '@preact/signals'
import { describeFailure } from '../pane/describe-failure.ts'
import type { Pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { type Change, changeCharacter } from './change-character.ts'

/** A receipt on the page, with the verdict of this browser. */
export interface ShownReceipt {
  /** The receipt as the service sent it. */
  readonly original: string
  /** The text that the page verifies: the original, or a copy with one changed character. */
  readonly text: string
  readonly change?: Change
  readonly keys: ReceiptKeys
  readonly verdict: ReceiptVerdict
}

/** The receipts of approved confirmations, by confirmation id. The text says why there is no receipt. */
export const receipts = signal<ReadonlyMap<string, ShownReceipt | string>>(new Map())

const show = (confirmationId: string, shown: ShownReceipt | string): void => {
  receipts.value = new Map([...receipts.peek(), [confirmationId, shown]])
}

/** Gets the receipt of an approved confirmation, and verifies it with the published keys. Never rejects. */
export const loadReceipt = async (pane: Pane, confirmationId: string): Promise<void> => {
  try {
    const { receipt } = await pane.client.confirmations.receipt({ confirmationId }, bearer(pane))
    const keys = await pane.client.receipts.keys()
    const verdict = await verifyReceipt(receipt, { keys })
    show(confirmationId, { original: receipt, text: receipt, keys, verdict })
  } catch (error) {
    show(confirmationId, `There is no receipt: ${describeFailure(error)}`)
  }
}

/** Changes one character of the original, and verifies the changed text. */
export const tamper = async (confirmationId: string, { original, keys }: ShownReceipt): Promise<void> => {
  const { text, change } = changeCharacter(original)
  show(confirmationId, { original, text, change, keys, verdict: await verifyReceipt(text, { keys }) })
}

/** Verifies the original again. */
export const restore = async (confirmationId: string, { original, keys }: ShownReceipt): Promise<void> =>
  show(confirmationId, { original, text: original, keys, verdict: await verifyReceipt(original, { keys }) })

/** Forgets all receipts, for example when the phone signs out. */
export const forgetReceipts = (): void => {
  receipts.value = new Map()
}
