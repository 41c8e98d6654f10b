import { CountersignError, type PendingConfirmation } from '@countersign/client-sdk'
import { type SignedByPasskey, signWithPasskey } from '@countersign/client-sdk/passkey-approvals'
import { effect } from '@preact/signals'
import { isLost, PageError } from './action-outcome.ts'
import { client, hasKey, signer } from './phone.ts'
import { forgetReason, reasonIdOf } from './reasons.tsx'
import { settings } from './settings.ts'
import {
  asking,
  type Outcome,
  type Report,
  readInbox,
  SHORTEST,
  settle,
  settled,
  showOffline,
  showOnline,
  statusOf,
} from './waiting-requests.ts'
import { t } from './words.ts'

/** Asks until the service returns the state of a request whose answer may have been lost. */
const askAgain = async (request: PendingConfirmation): Promise<Outcome | 'pending'> => {
  asking.value = request.confirmationId
  try {
    for (;;) {
      try {
        return await statusOf(request)
      } catch (error) {
        if (!isLost(error)) throw error
        showOffline()
        await new Promise((resolve) => setTimeout(resolve, SHORTEST))
      }
    }
  } finally {
    asking.value = undefined
    showOnline()
  }
}

/** Sends an answer. If no response arrives, the page asks for the state, and says so if the answer did not arrive. */
const send = async (
  request: PendingConfirmation,
  outcome: Outcome,
  answer: () => Promise<unknown>,
  report?: () => Report,
): Promise<void> => {
  try {
    await answer()
    forgetReason(reasonIdOf(request))
    settle(request, outcome, true, report?.())
  } catch (error) {
    const isOver = error instanceof CountersignError && [404, 409, 410].includes(error.status ?? 0)
    if (!isOver && !isLost(error)) {
      void readInbox()
      throw error
    }
    const state = await askAgain(request)
    if (state === 'pending') throw isOver ? error : new PageError(t('notArrived'))
    const isOwn = !isOver && state === outcome
    if (isOwn) forgetReason(reasonIdOf(request))
    settle(request, state, isOwn, isOwn ? report?.() : undefined)
  }
}

/** Returns whether the key of this phone answers a request. Where passkeys must, the key still vouches for the first passkey. */
const signsWithKey = ({ actionType, actionPayload }: PendingConfirmation): boolean => {
  if (!hasKey()) return false
  const { deviceType } = actionPayload as { readonly deviceType?: unknown }
  return settings.verification === 'never' || (actionType === 'device_register' && deviceType === 'passkey')
}

/** The signatures of a passkey by the id of the request, until the request has ended. */
const signed = new Map<string, SignedByPasskey>()
effect(() => {
  for (const confirmationId of settled.value.keys()) signed.delete(confirmationId)
})

/** Sends what the passkey signed. If the answer was lost, a retry sends the same signature, and the person does not sign again. */
const approveByPasskey = async (request: PendingConfirmation, number: { readonly matchNumber?: string }): Promise<void> => {
  const { confirmationId } = request
  const form = signed.get(confirmationId) ?? (await signWithPasskey(client, request))
  signed.set(confirmationId, form)
  await client.confirmations.sendApproval({ ...form, ...number }).catch((error: unknown) => {
    const isGood = isLost(error) || (error instanceof CountersignError && error.serviceCode === 'wrong_match_number')
    if (!isGood) signed.delete(confirmationId)
    throw error
  })
}

export const approve = (request: PendingConfirmation, matchNumber: string | undefined): Promise<void> =>
  send(request, 'approved', async () => {
    const options = matchNumber === undefined ? {} : { matchNumber }
    await (signsWithKey(request)
      ? client.confirmations.approve(request, await signer(), options)
      : approveByPasskey(request, options))
  })

/** A request that has all its approvals is ended only by a stop, of which the person is asked twice. */
const requireOpen = async ({ statement: { approval } }: PendingConfirmation): Promise<void> => {
  if (approval === undefined) return
  const { status } = await client.approvalRequests.read({ approvalId: approval.id })
  if (status === 'approved') throw new PageError(t('enoughMeanwhile'))
}

const sendRejection = async (request: PendingConfirmation, reason: string, notMe?: true) => {
  await requireOpen(request)
  return client.confirmations.reject(request, reason === '' ? undefined : reason, notMe && { notMe })
}

export const reject = (request: PendingConfirmation, reason: string): Promise<void> =>
  send(request, 'rejected', () => sendRejection(request, reason))

/** Rejects a request that the person did not ask for or expect. The service ends the session that asked, except for votes. */
export const disown = async (request: PendingConfirmation, reason: string): Promise<void> => {
  let sessionEnded: boolean | undefined
  const answer = async (): Promise<void> => {
    sessionEnded = (await sendRejection(request, reason, true)).sessionEnded
  }
  await send(request, 'rejected', answer, () => ({ sessionEnded }))
}

/** Takes back a request that a session of this person asked for. */
export const withdraw = (request: PendingConfirmation): Promise<void> =>
  send(request, 'withdrawn', () => client.confirmations.withdraw({ confirmationId: request.confirmationId }))
