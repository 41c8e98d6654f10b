import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchivedConfirmation, PublishedReceiptKey } from '@countersign/core'
import { CommandFailed } from '../../shared/command-failed.ts'
import { withIsoTimestamps } from '../../shared/output.ts'

/** The files have payloads in clear, so only their owner may read them. */
const PRIVATE = 0o600

/** A file of an archive that is open for writing. */
export interface ArchiveFile {
  readonly path: string
  /** Appends one line for each confirmation. Resolves once they are on the disk. */
  append(confirmations: readonly ArchivedConfirmation[]): Promise<void>
  close(): Promise<void>
}

const orFail = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    throw new CommandFailed(`the archive cannot be written: ${(cause as NodeJS.ErrnoException).code ?? 'unknown reason'}`, {
      cause,
    })
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

/** Replaces a file at once, so that a reader never sees half of it. */
const replaceFile = async (path: string, content: string): Promise<void> => {
  const handle = await open(`${path}.new`, 'w', PRIVATE)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${path}.new`, path)
}

/**
 * Creates a new file of an archive, and writes the receipt keys beside it. Never writes to an earlier file.
 *
 * @throws CommandFailed
 */
export const openArchive = async (directory: string, keys: readonly PublishedReceiptKey[]): Promise<ArchiveFile> => {
  const { serializeReceiptKeys } = await import('@countersign/server')
  const path = join(directory, `confirmations-${new Date().toISOString().replaceAll(':', '-')}.ndjson`)
  return orFail(async () => {
    await mkdir(directory, { recursive: true })
    await replaceFile(join(directory, 'receipt-keys.json'), `${JSON.stringify(serializeReceiptKeys(keys), null, 2)}\n`)
    const handle = await open(path, 'wx', PRIVATE)
    await syncDirectory(directory)
    return {
      path,
      append: (confirmations) =>
        orFail(async () => {
          await handle.appendFile(confirmations.map((one) => `${JSON.stringify(withIsoTimestamps(one))}\n`).join(''))
          await handle.sync()
        }),
      close: () => handle.close(),
    }
  })
}
