import { formValues } from '../form-values.ts'
import { attempt } from '../pane/attempt.ts'
import type { Pane } from '../pane/pane.ts'
import { CredentialFields } from './credential-fields.tsx'
import { signInWithPassword } from './sign-in-with-password.ts'

/** The way into the web application: a password. */
export const SignIn = ({ pane }: { readonly pane: Pane }) => (
  <section class="card">
    <h3>Sign in</h3>
    <form
      onSubmit={(event) => {
        const { email = '', password = '' } = formValues(event)
        void attempt(pane, () => signInWithPassword(pane, { email, password }))
      }}
    >
      <CredentialFields autocomplete="username" />
      <button type="submit" class="main" aria-disabled={pane.busy.value}>
        Sign in with password
      </button>
    </form>
  </section>
)
