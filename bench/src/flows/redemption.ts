import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { approveAction, confirmedAction } from './confirmation-steps.ts'
import { answerWithFlow } from './flow.ts'

/** A device whose approvals a service redeems. */
export interface RedeemedDevice extends HeldDevice {
  readonly serviceName: string
  readonly serviceToken: string
}

/** Initiates a confirmation, approves it by the signature of the device, and redeems the approval as another service. */
answerWithFlow<RedeemedDevice>((send, device) => {
  const sign = challengeSigner(device)
  const { userId, serviceName, serviceToken: token } = device
  return async () => {
    const confirmationId = await approveAction(send, device, sign)
    await send({
      method: 'POST',
      path: `/internal/confirmations/${confirmationId}/redeem`,
      token,
      headers: { 'x-service-name': serviceName },
      body: { userId, ...confirmedAction },
    })
  }
})
