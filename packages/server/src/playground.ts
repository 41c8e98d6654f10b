import { createPageFiles } from './pages/page-files.ts'
import type { Page } from './pages/page-routes.ts'
import type { PlaygroundSettings } from './pages/playground/playground.ts'
import { playgroundRoutes } from './pages/playground/playground-routes.ts'

export type { Page } from './pages/page-routes.ts'
export type { DemoUser, PlaygroundSettings } from './pages/playground/playground.ts'

/** The folder into which the build puts the page. The relative path is the same from the sources and from the built package. */
const directory = new URL('../dist/playground/page/', import.meta.url)

/** Makes the page at `/playground`, on which a person tries the product during development. It gives nobody a further right. */
export const createPlayground = (settings: PlaygroundSettings): Page => ({
  routes: playgroundRoutes(createPageFiles(directory, ['index.html', 'playground.js', 'style.css']), settings),
})
