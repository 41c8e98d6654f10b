import type { Send } from '../harness/http.ts'
import type { HeldDevice } from '../seeds/held-device.ts'

interface InitiateAnswer {
  readonly data: { readonly confirmationId: string; readonly challenge: string }
}

/** The action of every confirmation. */
export const confirmedAction = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH', reference: 'Invoice 2026-117' },
}

/** Initiates a confirmation and approves it by the signature of the device. Returns its id. */
export const approveAction = async (
  send: Send,
  { accessToken: token, deviceId }: HeldDevice,
  sign: (challenge: string) => string,
): Promise<string> => {
  const { data } = (await send({
    method: 'POST',
    path: '/api/v1/auth/confirmation/initiate',
    token,
    body: confirmedAction,
  })) as InitiateAnswer
  const body = { deviceId, signedChallenge: sign(data.challenge) }
  await send({ method: 'POST', path: `/api/v1/auth/confirmation/${data.confirmationId}/verify`, token, body })
  return data.confirmationId
}
