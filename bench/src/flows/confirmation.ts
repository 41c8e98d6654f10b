import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { answerWithFlow } from './flow.ts'

interface InitiateAnswer {
  readonly data: { readonly confirmationId: string; readonly challenge: string }
}

/** The action of every confirmation. */
const action = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH', reference: 'Invoice 2026-117' },
}

/** Initiates a confirmation and approves it by the signature of the device. */
answerWithFlow<HeldDevice>((send, device) => {
  const sign = challengeSigner(device)
  const { accessToken: token, deviceId } = device
  return async () => {
    const { data } = (await send({
      method: 'POST',
      path: '/api/v1/auth/confirmation/initiate',
      token,
      body: action,
    })) as InitiateAnswer
    const body = { deviceId, signedChallenge: sign(data.challenge) }
    await send({ method: 'POST', path: `/api/v1/auth/confirmation/${data.confirmationId}/verify`, token, body })
  }
})
