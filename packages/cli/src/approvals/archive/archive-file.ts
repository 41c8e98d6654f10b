import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchivedConfirmation, PublishedReceiptKey } from '@countersign/core'
import { CommandFailed } from '../../shared/failures.ts'
import { withIsoTimestamps } from '../../shared/output.ts'
import { lockArchive } from './lock-archive.ts'

/** The files have payloads in clear, so only their owner may read them. */
const PRIVATE = 0o600

/** An unpredictable name, so that nobody can create a link of that name beforehand. */
const randomName = (): string => randomBytes(8).toString('hex')

const orFail = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause
    const { code = 'unknown reason' } = cause as NodeJS.ErrnoException
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? `--to must be a directory (${code})` : code
    throw new CommandFailed(`the archive cannot be written: ${why}`, { cause })
  }
}

/** Makes new names in a directory durable. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a file in one step, so that a reader never sees a part of the new file. */
const replaceFile = async (path: string, content: string): Promise<void> => {
  const draft = `${path}.${randomName()}`
  try {
    await writeFile(draft, content, { flag: 'wx', mode: PRIVATE, flush: true })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Appends to a file. After a failure, the file is as long as before, or gone if it was empty. */
const appendOrUndo = async (handle: FileHandle, path: string, text: string): Promise<void> => {
  const { size } = await handle.stat()
  try {
    await handle.appendFile(text)
    await handle.sync()
  } catch (error) {
    await (size === 0 ? rm(path) : handle.truncate(size))
    throw error
  }
}

/**
 * Prepares a new file of an archive, beside its receipt keys, and locks the folder until `close`. The file is created with the
 * first confirmation. @throws CommandFailed
 */
export const openArchive = async (directory: string, keys: readonly PublishedReceiptKey[]) => {
  const { serializeReceiptKeys } = await import('@countersign/server')
  const path = join(directory, `confirmations-${new Date().toISOString().replaceAll(':', '-')}-${randomName()}.ndjson`)
  return orFail(async () => {
    await mkdir(directory, { recursive: true })
    const unlock = await lockArchive(directory)
    try {
      await replaceFile(join(directory, 'receipt-keys.json'), `${JSON.stringify(serializeReceiptKeys(keys), null, 2)}\n`)
    } catch (error) {
      await unlock()
      throw error
    }
    let handle: FileHandle | undefined
    return {
      path,
      /** Appends a line for each confirmation, and resolves once all are on the disk; or appends none. @throws CommandFailed */
      append: (confirmations: readonly ArchivedConfirmation[]): Promise<void> =>
        orFail(async () => {
          const isNew = handle === undefined
          handle ??= await open(path, 'ax', PRIVATE)
          const lines = confirmations.map((one) => `${JSON.stringify(withIsoTimestamps(one))}\n`)
          await appendOrUndo(handle, path, lines.join(''))
          if (isNew) await syncDirectory(directory)
        }),
      close: async (): Promise<void> => {
        await handle?.close()
        await unlock()
      },
    }
  })
}
