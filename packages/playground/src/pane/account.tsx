import { decodeToken } from '../identity/tokens/decode-token.ts'
import { ActionButton } from './action-button.tsx'
import type { Session } from './kept-session.ts'
import { refreshTokens, signOut } from './session.ts'

const ways: Readonly<Record<string, string>> = {
  password: 'with a password',
  webauthn: 'with a passkey',
}

/** The signed-in user and the trust level of the session. */
export const Account = ({ session }: { readonly session: Session }) => {
  const claims = decodeToken(session.tokens.accessToken)?.claims ?? {}
  return (
    <section class="card">
      <h3>Signed in {ways[String(claims.auth_method)]}</h3>
      <p>
        <strong>{String(claims.email)}</strong> <span class="badge">trust level {String(claims.trust_level)}</span>
      </p>
      <div class="actions">
        <ActionButton action={refreshTokens}>Refresh tokens</ActionButton>
        <ActionButton action={signOut}>Sign out</ActionButton>
      </div>
    </section>
  )
}
