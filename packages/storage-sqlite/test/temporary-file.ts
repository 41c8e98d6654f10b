import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The path of a database that does not exist yet, in a directory of its own; `remove` takes both away. */
export const temporaryFile = (): { readonly path: string; readonly remove: () => void } => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-sqlite-'))
  return { path: join(directory, 'test.db'), remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** The same, taken away when the running test has finished. */
export const temporaryPath = (): string => {
  const { path, remove } = temporaryFile()
  onTestFinished(remove)
  return path
}
