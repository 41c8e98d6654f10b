import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { approveAction } from './confirmation-steps.ts'
import { answerWithFlow } from './flow.ts'

/** Initiates a confirmation and approves it by the signature of a device. The devices of a conversation take turns. */
answerWithFlow<readonly HeldDevice[]>((send, devices) => {
  const held = devices.map((device) => ({ device, sign: challengeSigner(device) }))
  let turn = 0
  return async () => {
    const next = held[turn % held.length]
    turn += 1
    if (next === undefined) throw new Error('the conversation has no device')
    await approveAction(send, next.device, next.sign)
  }
})
