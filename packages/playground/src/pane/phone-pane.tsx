import { InboxCard } from '../approvals/inbox-card.tsx'
import { KeyCard } from '../identity/device/key-card.tsx'
import { deviceKey } from '../identity/device/key-store.ts'
import { RegisterForm } from '../identity/device/register-form.tsx'
import { Tokens } from '../identity/tokens/tokens.tsx'
import { Account } from './account.tsx'
import { NoticeLine } from './notice-line.tsx'
import type { Pane } from './pane.ts'

/** The pane of the phone: a device with its own key and its own tokens. */
export const PhonePane = ({ pane, web }: { readonly pane: Pane; readonly web: Pane }) => {
  const session = pane.session.value
  const key = deviceKey.value
  return (
    <section class="pane phone" aria-labelledby="phone-title">
      <header class="bar">
        <h2 id="phone-title">Phone</h2>
        <span class="fine">this browser as a device</span>
      </header>
      <NoticeLine pane={pane} />
      <div class="body">
        {session !== undefined && <Account pane={pane} session={session} />}
        {session !== undefined && key !== undefined && <InboxCard pane={pane} deviceKey={key} />}
        {key === undefined ? <RegisterForm pane={pane} web={web} /> : <KeyCard pane={pane} deviceKey={key} />}
        {session !== undefined && <Tokens session={session} />}
      </div>
    </section>
  )
}
