import { render } from 'preact'
import { App } from './app.tsx'
import { watchInbox } from './inbox.ts'
import { followNotification, installWorker } from './install-worker.ts'
import { resume } from './phone.ts'
import { applyColour } from './settings.ts'

applyColour()
// A browser that keeps no data for this page also keeps no notification.
await followNotification().catch(() => {})
render(<App />, document.body)
await resume()
watchInbox()
installWorker()
