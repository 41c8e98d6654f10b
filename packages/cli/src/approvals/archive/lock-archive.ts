import { readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { CommandFailed } from '../../shared/failures.ts'

const NAME = 'archive.lock'

const isRunning = (pid: number): boolean => {
  // Process ids repeat in containers, so a lock with the id of this process is a leftover too.
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Creates the lock; `false` if it exists. */
const create = async (path: string): Promise<boolean> => {
  try {
    await writeFile(path, `${process.pid} ${hostname()}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Lets one archive at a time write into a directory, and returns the function that removes the lock. Replaces the lock of a process
 * of this machine that ended without removing it. @throws CommandFailed if another archive has the lock
 */
export const lockArchive = async (directory: string): Promise<() => Promise<void>> => {
  const path = join(directory, NAME)
  const unlock = () => rm(path, { force: true })
  if (await create(path)) return unlock
  const [, pid = '', host = ''] = /^(\d+) (.+)\n$/.exec(await readFile(path, 'utf8').catch(() => '')) ?? []
  const isLeftOver = pid !== '' && host === hostname() && !isRunning(Number(pid))
  if (isLeftOver) await unlock()
  if (isLeftOver && (await create(path))) return unlock
  const who = pid === '' ? 'another archive' : `process ${pid} on ${host}`
  throw new CommandFailed(`${who} is writing an archive into this directory; if it is not, delete ${NAME} there`)
}
