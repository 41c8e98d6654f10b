import type { Pane } from '../../pane/pane.ts'
import { type DeviceKey, signChallenge } from './device-key.ts'

/** Signs in with a signature of the device's key. */
export const signInWithDevice = async (pane: Pane, key: DeviceKey): Promise<string> => {
  const { sessionId, challenge } = await pane.client.mobile.beginLogin({ deviceFingerprint: key.deviceFingerprint })
  const signedChallenge = await signChallenge(key, challenge)
  const { tokens } = await pane.client.mobile.finishLogin({ sessionId, signedChallenge, rememberMe: false })
  pane.session.value = { kind: 'biometric', tokens }
  return `Signed in with the key of “${key.deviceName}”.`
}
