import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Returns the path of a new database in its own directory, and a function that removes both. */
export const temporaryFile = (): { readonly path: string; readonly remove: () => void } => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-sqlite-'))
  return { path: join(directory, 'test.db'), remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Returns the path of a new database, which is removed when the running test ends. */
export const temporaryPath = (): string => {
  const { path, remove } = temporaryFile()
  onTestFinished(remove)
  return path
}
