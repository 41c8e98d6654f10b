import { link, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { systemRandom } from '@countersign/core'
import { failureCode } from '../startup-error.ts'

/** The codes of file systems without hard links: exFAT, and network folders such as Azure Files. */
const NO_HARD_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

const LONGEST_WAIT = 5000
const CHECK_EVERY = 20

/** Moves the draft on file systems without hard links. Only the process that creates the folder `claim` moves it. */
const moveOnce = async (draft: string, path: string): Promise<void> => {
  const claim = `${path}.claim`
  const end = performance.now() + LONGEST_WAIT
  for (;;) {
    try {
      await mkdir(claim)
      break
    } catch (error) {
      // A process that crashes leaves its folder behind. No living process keeps the folder as long.
      if (failureCode(error) !== 'EEXIST') throw error
      if (performance.now() > end) break
      await setTimeout(CHECK_EVERY)
    }
  }
  try {
    if ((await readIfExists(path)) === undefined) await rename(draft, path)
  } finally {
    await rmdir(claim).catch(() => {})
  }
}

/** Creates a file in one step, unless it exists: of processes that start together, one creates the file, and all read the same. */
export const createOnce = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.${process.pid}-${Buffer.from(systemRandom.bytes(6)).toString('hex')}`
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, path).catch(async (error: unknown) => {
      if (NO_HARD_LINKS.includes(failureCode(error))) await moveOnce(draft, path)
      else if (failureCode(error) !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
}

/** Reads a file; `undefined` if it is missing. */
export const readIfExists = async (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (failureCode(error) === 'ENOENT') return undefined
    throw error
  })
