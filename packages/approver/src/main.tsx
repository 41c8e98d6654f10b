import { render } from 'preact'
import { App } from './app.tsx'
import { watchInbox } from './inbox.ts'
import { installWorker } from './install-worker.ts'
import { resume } from './phone.ts'
import { applyColour } from './settings.ts'

applyColour()
render(<App />, document.body)
await resume()
watchInbox()
installWorker()
