import { render } from 'preact'
import { App } from './app.tsx'
import { watchInbox } from './inbox.ts'
import { followNotification, installWorker } from './install-worker.ts'
import { renewNotifications } from './notifications.ts'
import { resume } from './phone.ts'
import { applyColour, settings } from './settings.ts'

applyColour()
// An iPhone prefers this icon to those of the manifest, of which the logo of the host is the first.
if (settings.logoUrl !== null) document.querySelector('link[rel="apple-touch-icon"]')?.remove()
// A browser that keeps no data for this page also keeps no notification.
await followNotification().catch(() => {})
render(<App />, document.body)
await resume()
watchInbox()
installWorker()
renewNotifications()
