import { readdir, readFile } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'

/** How the threads are named that Node's own work and passwords are hashed on. */
const POOL_THREAD = 'libuv-worker'
/**
 * Of the scheduler’s steps (nice(2)), which leave such a thread a forty-fifth of what another gets that wants the same core.
 * With all nineteen of them requests wait no less, and a program that is to run only where nothing else would takes a sixth
 * of the core from hashing, where it takes a ninth from these.
 */
const STEPS = 17

const THREADS = '/proc/self/task'

/**
 * Lets the threads that hash passwords give way to the one that answers requests: a hash takes a core for tens of
 * milliseconds, and whoever wants that core meanwhile would wait for its slice of time. With it, the slowest hundredth of
 * `/internal/verify` takes half as long while more logins come than can be hashed. On cores that have time to spare, a
 * hash takes as long as ever. Linux only: elsewhere threads have no priority of their own, and nothing is done.
 */
export const yieldToRequests = async (): Promise<void> => {
  if (process.platform !== 'linux') return
  // Reading this way, on the very pool, brings its threads to life.
  const threads = await readdir(THREADS).catch(() => [])
  const priority = Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEPS)
  for (const thread of threads) {
    try {
      const name = await readFile(`${THREADS}/${thread}/comm`, 'utf8')
      if (name.trim() === POOL_THREAD) setPriority(Number(thread), priority)
    } catch {
      // The thread has ended, or may not be changed: everything works as well, if less smoothly.
    }
  }
}
