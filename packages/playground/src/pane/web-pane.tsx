import { useEffect, useRef } from 'preact/hooks'
import { RequestCard } from '../approvals/request-card.tsx'
import { DeviceCard } from '../identity/device-card.tsx'
import { PasskeyCard } from '../identity/passkeys/passkey-card.tsx'
import { SignIn } from '../identity/sign-in.tsx'
import { decodeToken } from '../identity/tokens/decode-token.ts'
import { Tokens } from '../identity/tokens/tokens.tsx'
import { ActionButton } from './action-button.tsx'
import { pane, type Session } from './pane.ts'
import { refreshTokens, signOut } from './session.ts'

const ways: Readonly<Record<string, string>> = { password: 'with a password', webauthn: 'with a passkey' }

const Account = ({ session }: { readonly session: Session }) => {
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

/** The outcome of the last action. Both regions are always there for screen readers. The focus of a removed button moves here. */
const NoticeLine = () => {
  const place = useRef<HTMLDivElement>(null)
  const notice = pane.notice.value
  useEffect(() => {
    if (notice !== undefined && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [notice])
  return (
    <div class="notices" ref={place} tabIndex={-1}>
      <p role="status">{notice?.kind === 'done' ? notice.text : ''}</p>
      <p role="alert">{notice?.kind === 'failed' ? notice.text : ''}</p>
      <p class="working" aria-hidden="true">
        {pane.busy.value ? 'One moment…' : ''}
      </p>
    </div>
  )
}

export const WebPane = () => {
  const session = pane.session.value
  return (
    <section class="pane web" aria-labelledby="web-title">
      <header class="bar">
        <h2 id="web-title">Web</h2>
        <span class="fine">your application</span>
      </header>
      <NoticeLine />
      <div class="body">
        {session === undefined ? (
          <SignIn />
        ) : (
          <>
            <RequestCard />
            <Account session={session} />
            <PasskeyCard />
            <DeviceCard />
            <Tokens session={session} />
          </>
        )}
      </div>
    </section>
  )
}
