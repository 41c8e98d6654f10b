import { RequestCard } from '../approvals/request-card.tsx'
import { DeviceCard } from '../identity/device-card.tsx'
import { PasskeyCard } from '../identity/passkeys/passkey-card.tsx'
import { SignIn } from '../identity/sign-in.tsx'
import { Tokens } from '../identity/tokens/tokens.tsx'
import { Account } from './account.tsx'
import { NoticeLine } from './notice-line.tsx'
import { pane } from './pane.ts'

/** The pane of the web application. */
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
