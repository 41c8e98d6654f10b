import { link, mkdir, open, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { systemRandom } from '@countersign/core'
import { failureCode } from '../startup-error.ts'

/** Writes a draft that only this user can read, waits until it is on disk, and hands it to `place`. */
const withDraft = async (path: string, text: string, place: (draft: string) => Promise<void>): Promise<void> => {
  const draft = `${path}.${process.pid}-${Buffer.from(systemRandom.bytes(6)).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await place(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The codes of file systems without hard links: exFAT, and network folders such as Azure Files. */
const NO_HARD_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']

const LONGEST_WAIT = 5000
const CHECK_EVERY = 20

/** Places the draft where file systems have no hard links. Of several processes, the one that makes a folder moves its draft. */
const moveOnce = async (draft: string, path: string): Promise<void> => {
  const claim = `${path}.claim`
  const end = performance.now() + LONGEST_WAIT
  for (;;) {
    try {
      await mkdir(claim)
      break
    } catch (error) {
      // A crash of the process that made the folder leaves it behind. Nobody else waits as long.
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

/**
 * Creates the file in one step, so that no process reads a part of the file. Does nothing if the file exists: if two processes
 * start at the same time, one creates the file and both read the same file.
 */
export const createOnce = (path: string, text: string): Promise<void> =>
  withDraft(path, text, async (draft) => {
    try {
      await link(draft, path)
    } catch (error) {
      if (NO_HARD_LINKS.includes(failureCode(error))) await moveOnce(draft, path)
      else if (failureCode(error) !== 'EEXIST') throw error
    }
  })

/** Reads a file; `undefined` if it is missing. */
export const readIfExists = async (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (failureCode(error) === 'ENOENT') return undefined
    throw error
  })

/** The changes of `completeFile`. */
export interface Completion {
  readonly isComplete: (text: string) => boolean
  /** Returns the line to add, a new one each time. */
  readonly newLine: () => string
}

/**
 * Adds a line to a file that lacks the line. All processes that do so at the same time read the same line afterwards: a second
 * file, which one process creates, decides the line. This file is deleted only after the first is complete, and each process
 * reads the first again after the second. So a second file that came too late has no effect, and one that a crash left is used
 * by the next start.
 *
 * @returns the text of the complete file
 */
export const completeFile = async (path: string, { isComplete, newLine }: Completion): Promise<string> => {
  const additionPath = `${path}.addition`
  for (;;) {
    await createOnce(additionPath, newLine())
    const addition = await readIfExists(additionPath)
    const text = await readFile(path, 'utf8')
    const complete = isComplete(text) || addition === undefined ? text : `${text.replace(/\n*$/, '\n')}${addition}`
    if (complete !== text) await withDraft(path, complete, (draft) => rename(draft, path))
    // Without an addition, another process has deleted it, and the text may be from before the file was complete.
    if (isComplete(complete)) {
      await rm(additionPath, { force: true })
      return complete
    }
  }
}
