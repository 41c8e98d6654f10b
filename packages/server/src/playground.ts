import { createFiles } from './playground/files.ts'
import { mountPlayground } from './playground/mount-playground.ts'
import type { Playground, PlaygroundSettings } from './playground/playground.ts'

export type { DemoUser, Playground, PlaygroundSettings } from './playground/playground.ts'

/** Where the build puts the page. It is one folder up, and down again, both from the sources and in the built package. */
const directory = new URL('../dist/playground/page/', import.meta.url)

/**
 * The page at `/playground`, on which a person tries everything in a browser without writing code. For development:
 * it gives nobody a right that they do not have without it, and shows tokens to whoever holds them.
 */
export const createPlayground = (settings: PlaygroundSettings): Playground => {
  const files = createFiles(directory)
  return { mount: (app, host) => mountPlayground(app, host, { files, settings }) }
}
