import { settings } from '../settings.ts'

/** E-mail and password, filled in where there is a demo user. */
export const CredentialFields = ({ autocomplete }: { readonly autocomplete: 'username' | 'username webauthn' }) => {
  const { demoUser } = settings.value
  return (
    <>
      <label>
        E-mail
        <input name="email" type="email" autocomplete={autocomplete} required defaultValue={demoUser?.email ?? ''} />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required defaultValue={demoUser?.password ?? ''} />
      </label>
    </>
  )
}
