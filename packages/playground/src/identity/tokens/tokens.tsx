import type { Session } from '../../pane/pane.ts'
import { now } from '../../time/dates.ts'
import { showDuration } from '../../time/show-duration.ts'
import { decodeToken } from './decode-token.ts'

const json = (value: unknown): string => JSON.stringify(value, null, 2)

const TokenView = ({ name, token, expiresAt }: Readonly<Record<'name' | 'token' | 'expiresAt', string>>) => {
  const left = Date.parse(expiresAt) - now.value
  const decoded = decodeToken(token)
  return (
    <details>
      <summary>
        {name} <span class={left > 0 ? 'badge' : 'badge bad'}>{left > 0 ? `expires in ${showDuration(left)}` : 'expired'}</span>
      </summary>
      <h4>Header</h4>
      <pre>{json(decoded?.header)}</pre>
      <h4>Claims</h4>
      <pre>{json(decoded?.claims)}</pre>
      <h4>Encoded</h4>
      <pre>{token}</pre>
    </details>
  )
}

export const Tokens = ({ session: { tokens } }: { readonly session: Session }) => (
  <section class="card">
    <h3>Tokens</h3>
    <TokenView name="Access token" token={tokens.accessToken} expiresAt={tokens.accessTokenExpiresAt} />
    <TokenView name="Refresh token" token={tokens.refreshToken} expiresAt={tokens.refreshTokenExpiresAt} />
  </section>
)
