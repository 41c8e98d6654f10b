import { render } from 'preact'
import { App } from './app.tsx'
import { watchInbox } from './approvals/inbox.ts'
import { followRequests } from './approvals/requests.ts'
import { loadKey } from './identity/device/key-store.ts'
import { tellFailure } from './pane/attempt.ts'
import { createPane } from './pane/create-pane.ts'
import { loadSettings } from './settings.ts'
import { DataRefused } from './shared/stored-data.ts'

const web = createPane('Web')
const phone = createPane('Phone')

await Promise.all([loadSettings(), loadKey()]).catch((error: unknown) => {
  // The page says so in a note.
  if (!(error instanceof DataRefused)) return tellFailure(web, error)
})
followRequests(web)
watchInbox(phone)
render(<App web={web} phone={phone} />, document.body)
