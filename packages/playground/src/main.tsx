import { render } from 'preact'
import { App } from './app.tsx'
import { followRequests } from './approvals/requests.ts'
import { tellFailure } from './pane/attempt.ts'
import { loadSettings } from './settings.ts'

await loadSettings().catch(tellFailure)
followRequests()
render(<App />, document.body)
