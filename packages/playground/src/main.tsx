import { render } from 'preact'
import { App } from './app.tsx'
import { tellFailure } from './pane/attempt.ts'
import { loadSettings } from './settings.ts'

await loadSettings().catch(tellFailure)
render(<App />, document.body)
