import type { CliCommand } from '../shared/cli-command.ts'
import type { ImportUsersOptions } from './import-users-file.ts'

export const addUserImportCommand = (user: CliCommand): void => {
  user
    .add('import', 'import users with the password hashes of another system; emails that exist are skipped')
    .argument('<file>', 'NDJSON or CSV; /dev/stdin reads a pipe')
    .option('--update', 'change the users whose emails exist; their passwords stay')
    .option('--accept-slow', 'also take hashes whose check takes more than about 0.3 s, such as bcrypt from cost 13 on')
    .option('--dry-run', 'check every line and write nothing')
    .addHelpText(
      'after',
      `
NDJSON has one object a line: email, name, passwordHash, permissions, employee { id, name, avatarFileId },
department { id, name }. Only email is required. The first line of CSV names the columns, such as employee.id;
blanks separate permissions. A password hash is argon2, bcrypt, scrypt, PBKDF2 or Firebase's fbscrypt, in PHC or
modular crypt format. The next login of the user replaces it by argon2id.

A bad line is named by its number and left out; then the exit code is 1. In CSV, a wrong quote ends the import, because
nobody knows where the row ends. What was imported before it stays.

Example:
  $ countersign user import users.ndjson --dry-run`,
    )
    .answer(async (file: string, options: ImportUsersOptions) => {
      const { importUsersFile } = await import('./import-users-file.ts')
      return importUsersFile(user.context, file, options)
    })
}
