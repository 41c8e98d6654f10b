import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { approveAction } from './confirmation-steps.ts'
import { answerWithFlow } from './flow.ts'

/** Initiates a confirmation and approves it by the signature of the device. */
answerWithFlow<HeldDevice>((send, device) => {
  const sign = challengeSigner(device)
  return async () => {
    await approveAction(send, device, sign)
  }
})
