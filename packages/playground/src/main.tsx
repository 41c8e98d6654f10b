import { render } from 'preact'
import { App } from './app.tsx'
import { showFailure } from './pane/attempt.ts'
import { loadSettings } from './settings.ts'

await loadSettings().catch(showFailure)
render(<App />, document.body)
