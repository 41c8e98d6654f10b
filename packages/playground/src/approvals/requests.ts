import type { Input, Output } from '@countersign/contract'
import { computed, effect, signal } from '@preact/signals'
import type { Pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { keepAsking } from './keep-asking.ts'

/** The status of a confirmation that the web application requested, and its number if the person must type it. */
export type Request = Output<'confirmations.status'> & { readonly matchNumber?: string | undefined }

/** The confirmations that this page requested, the newest first. */
export const requests = signal<readonly Request[]>([])

const isPending = ({ status }: Request): boolean => status === 'pending'

const readStatus = (pane: Pane, confirmationId: string): Promise<Request> =>
  pane.client.confirmations.status({ confirmationId }, bearer(pane))

/** Requests the approval of a payment on a device of the user. */
export const requestPayment = async (
  pane: Pane,
  actionPayload: Extract<Input<'confirmations.initiate'>, { actionType: 'payment_approval' }>['actionPayload'],
  { scope, numberMatching }: { readonly scope: string | undefined; readonly numberMatching: boolean },
): Promise<string> => {
  const { confirmationId, matchNumber } = await pane.client.confirmations.initiate(
    { actionType: 'payment_approval', actionPayload, scope, numberMatching },
    bearer(pane),
  )
  requests.value = [{ ...(await readStatus(pane, confirmationId)), matchNumber }, ...requests.value]
  return 'Asked for approval. The phone shows the request.'
}

const somePending = computed(() => requests.value.some(isPending))

/** Updates the status of the pending requests. Resolves with whether any request is still pending. */
const readPending = async (pane: Pane): Promise<boolean> => {
  for (const { confirmationId } of requests.peek().filter(isPending)) {
    const current = await readStatus(pane, confirmationId)
    requests.value = requests
      .peek()
      .map((request) => (request.confirmationId === confirmationId ? { ...current, matchNumber: request.matchNumber } : request))
  }
  return somePending.peek()
}

/** Follows the pending requests while the pane is signed in. Call the function once. */
export const followRequests = (pane: Pane): void => {
  effect(() => {
    if (pane.session.value === undefined) requests.value = []
    return somePending.value ? keepAsking(pane, () => readPending(pane)) : undefined
  })
}
