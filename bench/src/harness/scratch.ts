import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../../tools/workspace.ts'

/**
 * The folder for databases, below the installation. The temporary folder of the system may be in memory, where nothing is
 * durable.
 */
const PLACE = join(repository, 'node_modules', '.cache', 'countersign-bench')

/** Creates an empty folder on a disk. */
export const createScratch = (): string => {
  mkdirSync(PLACE, { recursive: true })
  return mkdtempSync(join(PLACE, 'run-'))
}

export const removeScratch = (directory: string): void => rmSync(directory, { recursive: true, force: true })
