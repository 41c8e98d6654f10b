import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UserLine } from '@countersign/core'

/** An entry of an export, whose members are not checked yet. */
export type Row = Readonly<Record<string, unknown>>

/** Says why a person is skipped. The text must not repeat a hash. */
export class Skipped extends Error {}

/** People who are left out on purpose. */
export type LeftOut = 'without an email' | 'disabled'

/** Returns a text of an export. @throws Skipped naming what is missing */
export const textOf = (value: unknown, what: string): string => {
  if (typeof value === 'string' && value !== '') return value
  throw new Skipped(`${what} is missing`)
}

/**
 * Parses JSON, also after a byte order mark. Returns `undefined` for other text, because the errors of the parser repeat the text.
 */
export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

export const readJson = async (file: string): Promise<unknown> => {
  const value = parse(await readFile(file, 'utf8'))
  if (value === undefined) throw new Error(`${file} is not JSON`)
  return value
}

/** Returns the entries of a list, of an object with the list `users`, or the value itself. */
export const entriesOf = (value: unknown): readonly unknown[] => {
  const list = typeof value === 'object' && value !== null && 'users' in value ? value.users : value
  return Array.isArray(list) ? list : [list]
}

/** Reads standard input: JSON values in lines, or one JSON value in many lines. A bad line is an entry by itself. */
export async function* readEntries(): AsyncGenerator<unknown> {
  const lines: string[] = []
  let isInLines: boolean | undefined
  for await (const line of createInterface(process.stdin)) {
    if (line.trim() === '') continue
    isInLines ??= parse(line) !== undefined
    if (isInLines) yield* entriesOf(parse(line))
    else lines.push(line)
  }
  if (lines.length === 0) return
  const whole = parse(lines.join('\n'))
  if (whole === undefined) for (const line of lines) yield* entriesOf(parse(line))
  else yield* entriesOf(whole)
}

const nameOf = (row: Row, entry: number): string => {
  const name = [row.email, row.username, row.user_id, row.localId, row.id].find((text) => typeof text === 'string' && text !== '')
  return typeof name === 'string' ? JSON.stringify(name) : `entry ${entry}`
}

/**
 * Writes NDJSON for `countersign user import` on standard output. A person who cannot be read is skipped and named on standard
 * error; then the exit code is 1. It is also 1 if nobody was written. A summary follows there.
 */
export const writeUsers = async (
  entries: AsyncIterable<unknown> | Iterable<unknown>,
  toUser: (row: Row) => UserLine | LeftOut,
): Promise<void> => {
  const counts = { written: 0, withoutPassword: 0, leftOut: { 'without an email': 0, disabled: 0 }, skipped: 0 }
  let entry = 0

  const lineOf = (value: unknown): string => {
    const row = (typeof value === 'object' && value !== null ? value : {}) as Row
    try {
      if (row !== value) throw new Skipped('is no JSON object')
      const user = toUser(row)
      if (typeof user === 'string') {
        counts.leftOut[user] += 1
        return ''
      }
      counts.written += 1
      if (user.passwordHash === null) counts.withoutPassword += 1
      return `${JSON.stringify(user)}\n`
    } catch (error) {
      const reason = error instanceof Skipped ? error.message : 'has another form than expected'
      process.stderr.write(`Skipped ${nameOf(row, entry)}: ${reason}\n`)
      counts.skipped += 1
      return ''
    }
  }
  async function* lines(): AsyncGenerator<string> {
    for await (const value of entries) {
      entry += 1
      yield lineOf(value)
    }
  }
  await pipeline(Readable.from(lines()), process.stdout)
  const { written, withoutPassword, leftOut, skipped } = counts
  process.stderr.write(
    `Wrote ${written} users, ${withoutPassword} of them without a password. Left out ${leftOut.disabled} disabled, ${leftOut['without an email']} without an email. Skipped ${skipped}.\n`,
  )
  if (written === 0) process.stderr.write('No user was found. Is this the export that the recipe reads?\n')
  if (skipped > 0 || written === 0) process.exitCode = 1
}
