import { signal } from '@preact/signals'
import { render } from 'preact'
import { App } from './app.tsx'
import { followRequests } from './approvals/requests.ts'
import { tellFailure } from './pane/attempt.ts'
import { keptSession } from './pane/kept-session.ts'
import type { Notice, Pane } from './pane/pane.ts'
import { createService } from './service/service.ts'
import { loadSettings } from './settings.ts'

const web: Pane = { client: createService(), session: keptSession(), notice: signal<Notice>(), busy: signal(false) }

await loadSettings().catch((error: unknown) => tellFailure(web, error))
followRequests(web)
render(<App web={web} />, document.body)
