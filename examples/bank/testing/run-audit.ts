import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../../tools/testing/compile-cache.ts'

/** A booking in the file for the auditor. */
export interface Booking {
  readonly id: string
  readonly customer: string
  readonly recipient: string
  readonly cents: number
  readonly receipts: readonly (string | undefined)[]
}

const fileOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

const python = (args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync('python3', args, { cwd: fileOf('.'), input, encoding: 'utf8' })
  if (stderr !== '') throw new Error(stderr)
  return { status, stdout }
}

/** Prints the objections to each list of bookings from standard input. */
const EACH = `
import json, sys
from audit import objections
keys = json.loads(sys.argv[1])
for line in sys.stdin: print(json.dumps(objections(json.loads(line), keys)))`

/** Exports the bookings, and gives them to the script of the auditor, as the README says. */
export const exportBookings = (databaseUrl: string, keys: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-audit-'))
  const [file, keysFile] = [join(directory, 'bookings.jsonl'), join(directory, 'keys.json')]
  const args = ['--conditions=@countersign/source', fileOf('export-bookings.ts')]
  const lines = execFileSync(process.execPath, args, { env: { ...compileCache, DATABASE_URL: databaseUrl }, encoding: 'utf8' })
  writeFileSync(file, lines)
  writeFileSync(keysFile, keys)
  const audited = python(['audit.py', file, keysFile])
  rmSync(directory, { recursive: true })
  const bookings = lines.trim().split('\n')
  return { audited, bookings: bookings.map((line) => JSON.parse(line) as Booking) }
}

/** Returns the objections of the auditor to each list of bookings. */
export const objectionsTo = (lists: readonly (readonly Booking[])[], keys: string): readonly unknown[] => {
  const { stdout } = python(['-c', EACH, keys], lists.map((list) => `${JSON.stringify(list)}\n`).join(''))
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}
