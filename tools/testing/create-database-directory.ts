import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file system in memory that Linux offers to every program. */
const IN_MEMORY = '/dev/shm'
/** Bytes that must be free there: hundreds of test databases. Containers may offer far less. */
const ROOM = 2 ** 30

const hasRoom = (directory: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize >= ROOM
  } catch {
    return false
  }
}

const parent = process.platform === 'linux' && hasRoom(IN_MEMORY) ? IN_MEMORY : undefined

/**
 * Creates an empty directory for the database of a test, in memory if there is room. A database waits for the disk at each
 * commit, and suites commit tens of thousands of times. The caller removes the directory.
 */
export const createDatabaseDirectory = (prefix: string): string => mkdtempSync(join(parent ?? tmpdir(), prefix))
