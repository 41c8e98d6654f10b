import { failureCode, operatorReason } from './startup-error.ts'

/** The meaning of codes of PostgreSQL, SQLite and the operating system, for an operator. */
const sentences: Readonly<Record<string, string>> = {
  '08006': 'the connection was lost',
  '25006': 'the database is read-only, as on a standby',
  '28000': 'the database refuses this role or this address',
  '28P01': 'the database refuses the name or the password of the role',
  '3D000': 'there is no database of this name',
  '40001': 'another transaction was in the way; try again',
  '40P01': 'another transaction was in the way; try again',
  '42501': 'the role of the database lacks a right that this needs',
  '42P01': 'a table is missing; `countersign migrate` makes the tables',
  '53100': 'the disk of the database is full',
  '53200': 'the database has no memory left',
  '53300': 'the database has no free connection',
  '55P03': 'a lock was not free in time; try again',
  '57014': 'the statement took too long',
  '57P01': 'the database ended the connection, as it does when it stops',
  '57P03': 'the database is starting or stopping',
  EACCES: 'this user of the operating system has no right to it',
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'this machine has no such address',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was lost',
  EEXIST: 'a file of this name is in the way',
  EHOSTUNREACH: 'no route leads to the host',
  EISDIR: 'the path is a folder, not a file',
  EMFILE: 'too many files are open',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOTFOUND: 'there is no host of this name',
  EPERM: 'this user of the operating system has no right to it',
  EPIPE: 'the connection was lost',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'nothing answered in time',
  SQLITE_BUSY: 'another process writes to the file; try again',
  SQLITE_CANTOPEN: 'the file or its folder cannot be opened by this user',
  SQLITE_CORRUPT: 'the file is damaged; restore a backup',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR: 'the disk or the file system failed',
  SQLITE_IOERR_SHMSIZE: 'the disk or the quota has no room for the file that ends in -shm',
  SQLITE_LOCKED: 'another statement holds the table; try again',
  SQLITE_NOTADB: 'the file is not a SQLite database',
  SQLITE_PERM: 'this user has no right to the file',
  SQLITE_READONLY: 'the file or its folder is read-only for this user',
}

/** SQLite's extended codes begin with a code of the table: `SQLITE_IOERR_WRITE`. */
const sentenceOf = (code: string): string | undefined => sentences[code] ?? sentences[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '']

/** Returns why something failed, for an operator: the storage's own sentence, or else one about the code. Contains no secret. */
export const failureReason = (error: unknown): string => {
  const code = failureCode(error)
  const sentence = sentenceOf(code)
  return operatorReason(error) ?? (sentence === undefined ? code : `${sentence} (${code})`)
}
