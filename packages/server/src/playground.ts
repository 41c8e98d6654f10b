import { createPageFiles } from './pages/page-files.ts'
import { mountPlayground } from './pages/playground/mount-playground.ts'
import type { PlaygroundSettings } from './pages/playground/playground.ts'
import type { Page } from './pages/serve-page.ts'

export type { DemoUser, PlaygroundSettings } from './pages/playground/playground.ts'
export type { Page } from './pages/serve-page.ts'

/** Where the build puts the page. It is one folder up, and down again, both from the sources and in the built package. */
const directory = new URL('../dist/playground/page/', import.meta.url)

/**
 * The page at `/playground`, on which a person tries everything in a browser without writing code. For development:
 * it gives nobody a right that they do not have without it, and shows tokens to whoever holds them.
 */
export const createPlayground = (settings: PlaygroundSettings): Page => {
  const files = createPageFiles(directory, ['index.html', 'playground.js', 'style.css'])
  return { mount: (app, host) => mountPlayground(app, host, { files, settings }) }
}
