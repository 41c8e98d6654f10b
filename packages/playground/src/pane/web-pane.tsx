import { RequestCard } from '../approvals/request-card.tsx'
import { DeviceCard } from '../identity/device/device-card.tsx'
import { PasskeyCard } from '../identity/passkeys/passkey-card.tsx'
import { SignIn } from '../identity/sign-in/sign-in.tsx'
import { Tokens } from '../identity/tokens/tokens.tsx'
import { Account } from './account.tsx'
import { NoticeLine } from './notice-line.tsx'
import type { Pane } from './pane.ts'

/** The pane of the web application. */
export const WebPane = ({ pane }: { readonly pane: Pane }) => {
  const session = pane.session.value
  return (
    <section class="pane web" aria-labelledby="web-title">
      <header class="bar">
        <h2 id="web-title">Web</h2>
        <span class="fine">your application</span>
      </header>
      <NoticeLine pane={pane} />
      <div class="body">
        {session === undefined ? (
          <SignIn pane={pane} />
        ) : (
          <>
            <Account pane={pane} session={session} />
            <RequestCard pane={pane} />
            <PasskeyCard pane={pane} />
            <DeviceCard pane={pane} />
            <Tokens session={session} />
          </>
        )}
      </div>
    </section>
  )
}
