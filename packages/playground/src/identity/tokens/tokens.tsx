import type { Session } from '../../pane/kept-session.ts'
import { TokenView } from './token-view.tsx'

/** The token pair of a session, decoded. */
export const Tokens = ({ session: { tokens } }: { readonly session: Session }) => (
  <section class="card">
    <h3>Tokens</h3>
    <TokenView name="Access token" token={tokens.accessToken} expiresAt={tokens.accessTokenExpiresAt} />
    <TokenView name="Refresh token" token={tokens.refreshToken} expiresAt={tokens.refreshTokenExpiresAt} />
  </section>
)
