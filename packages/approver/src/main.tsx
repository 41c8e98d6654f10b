import { render } from 'preact'
import { App } from './app.tsx'
import { applyColour } from './brand.tsx'
import { followNotification, installWorker } from './install-worker.ts'
import { renewNotifications } from './notifications.ts'
import { resume } from './phone.ts'
import { settings } from './settings.ts'
import { watchStopped } from './stopped.ts'
import { stored } from './stored.ts'
import { watchInbox } from './waiting-requests.ts'
import { startLanguage } from './words.ts'

applyColour()
// An earlier page kept the answers of the person here. The history comes from the service.
stored.write('answers', undefined)
// An iPhone prefers this icon to the icons of the manifest. The first icon of the manifest is the logo of the host.
if (settings.logoUrl !== null) document.querySelector('link[rel="apple-touch-icon"]')?.remove()
// If the browser stores no data for this page, there is no notification to follow.
await Promise.all([startLanguage(), followNotification().catch(() => {})])
render(<App />, document.body)
await resume()
watchInbox()
watchStopped()
installWorker()
renewNotifications()
