import { formValues } from '../../form-values.ts'
import { attempt } from '../../pane/attempt.ts'
import type { Pane } from '../../pane/pane.ts'
import { signedInAs } from '../../pane/session.ts'
import { CredentialFields } from '../sign-in/credential-fields.tsx'
import { registerDevice } from './register-device.ts'

interface RegisterFormProps {
  readonly pane: Pane
  /** Whose session is used where it is signed in, as a phone uses that of the application it is paired with. */
  readonly web: Pane
}

/** Registers this browser as a device, for whom the web application is signed in, or else by password. */
export const RegisterForm = ({ pane, web }: RegisterFormProps) => {
  const webSession = web.session.value

  const register = async ({ deviceName = '', email = '', password = '' }: Readonly<Record<string, string>>): Promise<string> => {
    if (webSession !== undefined) return registerDevice(pane, { deviceName, token: webSession.tokens.accessToken })
    const { accessToken: token, refreshToken } = await pane.client.auth.login({ email, password })
    try {
      return await registerDevice(pane, { deviceName, token })
    } finally {
      // From here on the device signs in by its key.
      await pane.client.auth.logout({ refreshToken }, { token })
    }
  }

  return (
    <section class="card">
      <h3>Make this browser a device</h3>
      <p class="fine">
        A key is made here that signs and cannot be read, not even by this page. The service gets its public half, and a signature
        that proves it.
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
