import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { answerWithFlow } from './flow.ts'

interface ChallengeAnswer {
  readonly data: { readonly sessionId: string; readonly challenge: string }
}

/** Logs in by the signature of a device: gets a challenge and signs it. */
answerWithFlow<HeldDevice>((send, device) => {
  const sign = challengeSigner(device)
  return async () => {
    const { deviceFingerprint } = device
    const { data } = (await send({
      method: 'POST',
      path: '/api/v1/auth/mobile/challenge',
      body: { deviceFingerprint },
    })) as ChallengeAnswer
    const body = { sessionId: data.sessionId, signedChallenge: sign(data.challenge) }
    await send({ method: 'POST', path: '/api/v1/auth/mobile/biometric', body })
  }
})
