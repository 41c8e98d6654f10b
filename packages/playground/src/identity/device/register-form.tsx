import { formValues } from '../../form-values.ts'
import { attempt } from '../../pane/attempt.ts'
import type { Pane } from '../../pane/pane.ts'
import { signedInAs } from '../../pane/session.ts'
import { CredentialFields } from '../sign-in/credential-fields.tsx'
import { registerDevice } from './register-device.ts'

interface RegisterFormProps {
  readonly pane: Pane
  /** The web pane. If it is signed in, its session registers the device, as when a phone is paired with an application. */
  readonly web: Pane
}

/** Registers this browser as a device, with the session of the web pane or with a password. */
export const RegisterForm = ({ pane, web }: RegisterFormProps) => {
  const webSession = web.session.value

  const register = async ({ deviceName = '', email = '', password = '' }: Readonly<Record<string, string>>): Promise<string> => {
    if (webSession !== undefined) return registerDevice(pane, { deviceName, token: webSession.tokens.accessToken })
    const { accessToken: token, refreshToken } = await pane.client.auth.login({ email, password })
    try {
      return await registerDevice(pane, { deviceName, token })
    } finally {
      // From now on the device signs in with its key.
      await pane.client.auth.logout({ refreshToken }, { token })
    }
  }

  return (
    <section class="card">
      <h3>Make this browser a device</h3>
      <p class="fine">
        This browser makes a key that can sign and that nobody can read, not even this page. The service gets the public key, and
        a signature that proves possession of the private key.
      </p>
      <form
        onSubmit={(event) => {
          const values = formValues(event)
          void attempt(pane, () => register(values))
        }}
      >
        {webSession === undefined ? (
          <CredentialFields autocomplete="username" />
        ) : (
          <p>
            For <strong>{signedInAs(webSession)}</strong>, who is signed in on the web.
          </p>
        )}
        <label>
          Device name
          <input name="deviceName" required maxLength={255} defaultValue="My browser" />
        </label>
        <button type="submit" class="main" aria-disabled={pane.busy.value}>
          Register this browser
        </button>
      </form>
    </section>
  )
}
