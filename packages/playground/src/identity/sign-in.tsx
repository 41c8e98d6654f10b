import { useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { formValues } from '../form-values.ts'
import { ActionButton } from '../pane/action-button.tsx'
import { attempt } from '../pane/attempt.ts'
import { pane } from '../pane/pane.ts'
import { settings } from '../settings.ts'
import { autofill, offerPasskeys, signInWithPasskey } from './passkeys/sign-in-with-passkey.ts'

const signInWithPassword = async (credentials: Readonly<Record<'email' | 'password', string>>): Promise<string> => {
  pane.session.value = { tokens: await pane.client.auth.login(credentials) }
  return 'Signed in with a password.'
}

/** The fields for e-mail and password, filled in if the server has a demo user. */
const CredentialFields = ({ onEmailFocus }: { readonly onEmailFocus: () => void }) => {
  const { email, password } = settings.value.demoUser ?? { email: '', password: '' }
  return (
    <>
      <label>
        E-mail
        <input name="email" type="email" autocomplete="username webauthn" required defaultValue={email} onFocus={onEmailFocus} />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required defaultValue={password} />
      </label>
    </>
  )
}

/** The ways to sign in: a password, a passkey, or a passkey in the suggestions of the e-mail field. */
export const SignIn = () => {
  const form = useRef<HTMLFormElement>(null)
  const isOffering = useSignal(false)
  const wanted = useSignal(0)
  useSignalEffect(() => {
    // A browser handles one passkey request at a time.
    if (!autofill.value || pane.busy.value || wanted.value < 0) return undefined
    const stop = new AbortController()
    isOffering.value = true
    void offerPasskeys(stop.signal).then(() => {
      if (!stop.signal.aborted) isOffering.value = false
    })
    return () => stop.abort()
  })
  // After the person cancels, the browser gets a new offer when the person enters the field again.
  const offerAgain = (): void => {
    if (!isOffering.peek()) wanted.value += 1
  }
  const emailGiven = (): string => String(new FormData(form.current ?? undefined).get('email'))

  return (
    <section class="card">
      <h3>Sign in</h3>
      <form
        ref={form}
        onSubmit={(event) => {
          const { email = '', password = '' } = formValues(event)
          void attempt(() => signInWithPassword({ email, password }))
        }}
      >
        <CredentialFields onEmailFocus={offerAgain} />
        <button type="submit" class="main" aria-disabled={pane.busy.value}>
          Sign in with password
        </button>
      </form>
      <p class="or">or, without a password</p>
      <div class="choices">
        <ActionButton describedBy="passkey-kept" action={() => signInWithPasskey()}>
          Sign in with a passkey
        </ActionButton>
        <p id="passkey-kept" class="fine">
          For phones, computers and password managers. The browser lists the passkeys that are stored for this site. No e-mail is
          needed.
        </p>
        <ActionButton describedBy="passkey-listed" action={() => signInWithPasskey({ email: emailGiven() })}>
          Use a security key
        </ActionButton>
        <p id="passkey-listed" class="fine">
          For a key without a list of its own. The service tells the browser which passkeys belong to the e-mail above.
        </p>
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={autofill.value}
          onChange={(event) => {
            autofill.value = event.currentTarget.checked
          }}
        />
        Offer passkeys while typing
      </label>
    </section>
  )
}
