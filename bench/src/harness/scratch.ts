import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../../../tools/workspace.ts'

/** Beside the installation rather than in the system's temporary folder, which may be memory, where nothing is durable. */
const PLACE = join(repository, 'node_modules', '.cache', 'countersign-bench')

/** A fresh folder on a disk. */
export const createScratch = (): string => {
  mkdirSync(PLACE, { recursive: true })
  return mkdtempSync(join(PLACE, 'run-'))
}

export const removeScratch = (directory: string): void => rmSync(directory, { recursive: true, force: true })
