import { liveEvents } from '@countersign/client-sdk/events'
import type { Input, Output } from '@countersign/contract'
import { effect, signal } from '@preact/signals'
import { tellFailure } from '../pane/attempt.ts'
import { pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { recordingFetch } from '../service/calls.ts'
import { serviceUrl } from '../service/service.ts'

/** The status of a confirmation that the web application requested, and its number if the person must type it. */
export type Request = Output<'confirmations.status'> & { readonly matchNumber?: string | undefined }

/** The confirmations that this page requested, the newest first. */
export const requests = signal<readonly Request[]>([])

effect(() => {
  if (pane.session.value === undefined) requests.value = []
})

/** The confirmations of the service, with the current token of the pane. */
const confirmations: typeof pane.client.confirmations = {
  ...pane.client.confirmations,
  status: (input, options) => pane.client.confirmations.status(input, { ...options, ...bearer() }),
}

const live = liveEvents(
  { accessToken: async () => pane.session.peek()?.tokens.accessToken, confirmations },
  { baseUrl: serviceUrl, fetch: recordingFetch },
)

/** Shows the decision on a request when it happens, unless the person has signed out. */
const follow = async (asked: Request): Promise<void> => {
  try {
    const decided = await live.settled(asked.confirmationId)
    requests.value = requests.peek().map((one) => (one === asked ? { ...decided, matchNumber: asked.matchNumber } : one))
  } catch (error) {
    if (requests.peek().includes(asked)) await tellFailure(error)
  }
}

/** Requests the approval of a payment on a device of the user. */
export const requestPayment = async (
  actionPayload: Extract<Input<'confirmations.initiate'>, { actionType: 'payment_approval' }>['actionPayload'],
  { scope, numberMatching }: { readonly scope: string | undefined; readonly numberMatching: boolean },
): Promise<string> => {
  const { confirmationId, matchNumber } = await pane.client.confirmations.initiate(
    { actionType: 'payment_approval', actionPayload, scope, numberMatching },
    bearer(),
  )
  const asked = { ...(await confirmations.status({ confirmationId })), matchNumber }
  requests.value = [asked, ...requests.value]
  void follow(asked)
  return 'Asked for approval. The phone shows the request.'
}
