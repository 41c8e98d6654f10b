import type { UserLine } from '@countersign/core'
import type { CommandContext } from '../shared/command-context.ts'
import { parseFile } from '../shared/import-file/parse-file.ts'
import { withCountersign } from '../shared/open-database.ts'
import type { Flags } from '../shared/option-values.ts'
import type { Answer } from '../shared/output.ts'
import { showBar } from '../shared/progress-bar.ts'
import { sizeOfFile } from '../shared/read-at-most.ts'
import { createImportReport, type ImportFileOptions } from './import-report.ts'
import { unknownPermissions } from './unknown-permissions.ts'

export type ImportUsersOptions = ImportFileOptions & Flags<'acceptSlow'>

/** The columns of CSV. A dot leads into a member. */
const columns = {
  required: ['email'],
  optional: [
    'name',
    'passwordHash',
    'permissions',
    'employee.id',
    'employee.name',
    'employee.avatarFileId',
    'department.id',
    'department.name',
  ],
} as const

/** Returns the values of the columns with this start. An empty cell is an absent member. */
const cellsOf = (row: Readonly<Record<string, string>>, start: string): Readonly<Record<string, string>> | undefined => {
  const cells = Object.entries(row).filter(([name, value]) => name.startsWith(start) && value !== '')
  return cells.length === 0 ? undefined : Object.fromEntries(cells.map(([name, value]) => [name.slice(start.length), value]))
}

const fromRow = (row: Readonly<Record<string, string>>): UserLine => {
  const { email = '', name, passwordHash, permissions } = row
  return {
    email,
    name: name || null,
    passwordHash: passwordHash || null,
    permissions: permissions?.match(/\S+/g) ?? null,
    employee: cellsOf(row, 'employee.') ?? null,
    department: cellsOf(row, 'department.') ?? null,
  }
}

/**
 * Imports users from a file of NDJSON or CSV, and shows the progress. @throws CommandFailed if the rest of the file cannot be
 * divided into lines, as after an unclosed quote in CSV; users of earlier lines are stored
 */
export const importUsersFile = async (context: CommandContext, path: string, options: ImportUsersOptions): Promise<Answer> => {
  const bar = showBar(await sizeOfFile(path), context.stderr, '{lines} lines', { lines: 0 })
  const report = createImportReport(bar, options)
  try {
    const warnings = await withCountersign(context, async (countersign) => {
      await countersign.users.import({
        lines: report.watch(parseFile(path, columns, (bytes) => bar.update(bytes), fromRow)),
        existing: options.update === true ? 'update' : 'skip',
        acceptSlow: options.acceptSlow === true,
        dryRun: options.dryRun === true,
        onResult: report.add,
      })
      return unknownPermissions(countersign, report.permissions)
    })
    return report.answer(warnings)
  } catch (error) {
    bar.stop()
    const stored = report.storedSoFar()
    if (stored !== undefined) context.stderr.write(`${stored}\n`)
    throw error
  } finally {
    bar.stop()
  }
}
