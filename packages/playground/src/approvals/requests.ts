import type { Input, Output } from '@countersign/contract'
import { effect, signal } from '@preact/signals'
import { showFailure } from '../pane/attempt.ts'
import { pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'

/** The status of a confirmation that the web application requested, and its number if the person must type it. */
export type Request = Output<'confirmations.status'> & { readonly matchNumber?: string | undefined }

/** The confirmations that this page requested, the newest first. */
export const requests = signal<readonly Request[]>([])

effect(() => {
  if (pane.session.value === undefined) requests.value = []
})

/** Shows the decision on a request when it happens, unless the person has signed out. */
const follow = async (asked: Request): Promise<void> => {
  try {
    const decided = await pane.client.confirmations.settled(asked.confirmationId, bearer())
    requests.value = requests.peek().map((one) => (one === asked ? { ...decided, matchNumber: asked.matchNumber } : one))
  } catch (error) {
    if (requests.peek().includes(asked)) await showFailure(error)
  }
}

export const requestPayment = async (
  actionPayload: Extract<Input<'confirmations.initiate'>, { actionType: 'payment_approval' }>['actionPayload'],
  { tenant, numberMatching }: { readonly tenant: string | undefined; readonly numberMatching: boolean },
): Promise<string> => {
  const { confirmationId, matchNumber } = await pane.client.confirmations.initiate(
    { actionType: 'payment_approval', actionPayload, tenant, numberMatching },
    bearer(),
  )
  const asked = { ...(await pane.client.confirmations.status({ confirmationId }, bearer())), matchNumber }
  requests.value = [asked, ...requests.value]
  void follow(asked)
  return 'Asked for approval. Approve on the phone.'
}
