import type { Pane } from '../../pane/pane.ts'
import { loginChallenge } from './device-challenge.ts'
import { type DeviceKey, signChallenge } from './device-key.ts'

/** Signs in with a signature of the device's key. The page signs only a challenge that commits to this login. */
export const signInWithDevice = async (pane: Pane, key: DeviceKey): Promise<string> => {
  const begun = await pane.client.mobile.beginLogin({ deviceFingerprint: key.deviceFingerprint })
  const signedChallenge = await signChallenge(key, await loginChallenge(key, begun))
  const { tokens } = await pane.client.mobile.finishLogin({ sessionId: begun.sessionId, signedChallenge, rememberMe: false })
  pane.session.value = { kind: 'biometric', tokens }
  return `Signed in with the key of “${key.deviceName}”.`
}
