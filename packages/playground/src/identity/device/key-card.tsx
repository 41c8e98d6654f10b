import { ActionButton } from '../../pane/action-button.tsx'
import type { Pane } from '../../pane/pane.ts'
import { shortId } from '../../shared/tell-apart.ts'
import { loginChallenge } from './device-challenge.ts'
import { type DeviceKey, signChallenge } from './device-key.ts'
import { forgetKey } from './key-store.ts'

/** Signs in with a signature of the device's key. The page signs only a challenge that covers this login. */
const signInWithDevice = async (pane: Pane, key: DeviceKey): Promise<string> => {
  const begun = await pane.client.mobile.beginLogin({ deviceFingerprint: key.deviceFingerprint })
  const signedChallenge = await signChallenge(key, await loginChallenge(key, begun))
  const { tokens } = await pane.client.mobile.finishLogin({ sessionId: begun.sessionId, signedChallenge, rememberMe: false })
  pane.session.value = { kind: 'biometric', tokens }
  return `Signed in with the key of “${key.deviceName}”.`
}

interface KeyCardProps {
  readonly pane: Pane
  readonly deviceKey: DeviceKey
}

/** The key of this browser, and the actions with the key. */
export const KeyCard = ({ pane, deviceKey }: KeyCardProps) => {
  const forget = async (): Promise<string> => {
    await forgetKey()
    return 'This browser has forgotten the key. The service lists the device until somebody removes the device.'
  }
  return (
    <section class="card">
      <h3>{deviceKey.deviceName}</h3>
      <dl>
        <dt>Device id</dt>
        <dd>…{shortId(deviceKey.deviceId)}</dd>
        <dt>Fingerprint</dt>
        <dd>{deviceKey.deviceFingerprint}</dd>
        <dt>Key</dt>
        <dd>ES256, cannot be exported</dd>
      </dl>
      <div class="actions">
        {pane.session.value === undefined && (
          <ActionButton pane={pane} kind="main" action={() => signInWithDevice(pane, deviceKey)}>
            Sign in with this device
          </ActionButton>
        )}
        <ActionButton pane={pane} action={forget}>
          Forget this key
        </ActionButton>
      </div>
      <details>
        <summary>Public key</summary>
        <pre>{deviceKey.publicKey}</pre>
      </details>
    </section>
  )
}
