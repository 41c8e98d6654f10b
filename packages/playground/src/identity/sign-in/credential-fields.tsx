import { settings } from '../../settings.ts'

interface CredentialFieldsProps {
  readonly autocomplete: 'username' | 'username webauthn'
  readonly onEmailFocus?: () => void
}

/** The fields for e-mail and password, filled in if the server has a demo user. */
export const CredentialFields = ({ autocomplete, onEmailFocus }: CredentialFieldsProps) => {
  const { demoUser } = settings.value
  return (
    <>
      <label>
        E-mail
        <input
          name="email"
          type="email"
          autocomplete={autocomplete}
          required
          defaultValue={demoUser?.email ?? ''}
          onFocus={onEmailFocus}
        />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required defaultValue={demoUser?.password ?? ''} />
      </label>
    </>
  )
}
