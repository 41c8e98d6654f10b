import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'
import { addressesOf, type FromManyAddresses } from './addresses.ts'
import { answerWithFlow } from './flow.ts'

interface ChallengeAnswer {
  readonly data: { readonly sessionId: string; readonly challenge: string }
}

/** Logs in by the signature of a device: gets a challenge and signs it. Both requests come from one address. */
answerWithFlow<HeldDevice & FromManyAddresses>((send, device) => {
  const sign = challengeSigner(device)
  const headersFor = addressesOf(device)
  return async () => {
    const { deviceFingerprint } = device
    const headers = headersFor()
    const { data } = (await send({
      method: 'POST',
      path: '/api/v1/auth/mobile/challenge',
      headers,
      body: { deviceFingerprint },
    })) as ChallengeAnswer
    const body = { sessionId: data.sessionId, signedChallenge: sign(data.challenge) }
    await send({ method: 'POST', path: '/api/v1/auth/mobile/biometric', headers, body })
  }
})
