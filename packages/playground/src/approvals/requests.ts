import type { Input, Output } from '@countersign/contract'
import { computed, effect, signal } from '@preact/signals'
import { pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { keepAsking } from './keep-asking.ts'

/** The status of a confirmation that the web application requested, and its number if the person must type it. */
export type Request = Output<'confirmations.status'> & { readonly matchNumber?: string | undefined }

/** The confirmations that this page requested, the newest first. */
export const requests = signal<readonly Request[]>([])

const isPending = ({ status }: Request): boolean => status === 'pending'

const readStatus = (confirmationId: string): Promise<Request> => pane.client.confirmations.status({ confirmationId }, bearer())

/** Requests the approval of a payment on a device of the user. */
export const requestPayment = async (
  actionPayload: Extract<Input<'confirmations.initiate'>, { actionType: 'payment_approval' }>['actionPayload'],
  { scope, numberMatching }: { readonly scope: string | undefined; readonly numberMatching: boolean },
): Promise<string> => {
  const { confirmationId, matchNumber } = await pane.client.confirmations.initiate(
    { actionType: 'payment_approval', actionPayload, scope, numberMatching },
    bearer(),
  )
  requests.value = [{ ...(await readStatus(confirmationId)), matchNumber }, ...requests.value]
  return 'Asked for approval. The phone shows the request.'
}

const somePending = computed(() => requests.value.some(isPending))

/** Updates the status of the pending requests. Resolves with whether any request is still pending. */
const readPending = async (): Promise<boolean> => {
  for (const { confirmationId } of requests.peek().filter(isPending)) {
    const current = await readStatus(confirmationId)
    requests.value = requests
      .peek()
      .map((request) => (request.confirmationId === confirmationId ? { ...current, matchNumber: request.matchNumber } : request))
  }
  return somePending.peek()
}

/** Follows the pending requests while the pane is signed in. Call the function once. */
export const followRequests = (): void => {
  effect(() => {
    if (pane.session.value === undefined) requests.value = []
    return somePending.value ? keepAsking(readPending) : undefined
  })
}
