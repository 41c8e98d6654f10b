import { approverRoutes } from './pages/approver-routes.ts'
import { type ApproverSettings, checkApproverSettings } from './pages/approver-settings.ts'
import { createPageFiles } from './pages/page-files.ts'
import type { Page } from './pages/page-routes.ts'

export type { ApproverSettings, OwnText } from './pages/approver-settings.ts'
export type { DemoUser, Page } from './pages/page-routes.ts'

/** The folder into which the build puts the page. The relative path is the same from the sources and from the built package. */
const directory = new URL('../dist/approver/page/', import.meta.url)

/** Makes the page at `/approve/`, which people install on their phones. @throws RangeError for an unknown or wrong setting */
export const createApprover = (settings: ApproverSettings = {}): Page => {
  checkApproverSettings(settings)
  const files = createPageFiles(directory, [
    ...(['index.html', 'approver.js', 'style.css', 'worker.js', 'icon.svg', 'icon-512.png'] as const),
    ...(['de.json', 'fr.json', 'es.json', 'ar.json'] as const),
  ])
  return { routes: approverRoutes(files, settings) }
}
