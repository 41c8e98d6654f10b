import type { User } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { parseTexts } from '../../shared/json-texts.ts'
import type { UsersTable } from '../../tables/index.ts'

export const userColumns = [
  'id',
  'directory_id',
  'email',
  'name',
  'employee_id',
  'employee_name',
  'employee_avatar_file_id',
  'department_id',
  'department_name',
  'permissions',
  'password_hash',
  'disabled_at',
  'locked_at',
  'version',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof UsersTable)[]

type Row = Pick<Selectable<UsersTable>, (typeof userColumns)[number]>

export const toEmployee = (row: Pick<Row, 'employee_id' | 'employee_name' | 'employee_avatar_file_id'>): User['employee'] => ({
  id: row.employee_id,
  name: row.employee_name,
  avatarFileId: row.employee_avatar_file_id,
})

export const toDepartment = (row: Pick<Row, 'department_id' | 'department_name'>): User['department'] => ({
  id: row.department_id,
  name: row.department_name,
})

export const toUser = (row: Row): User => ({
  id: row.id,
  directoryId: row.directory_id,
  email: row.email,
  name: row.name,
  employee: toEmployee(row),
  department: toDepartment(row),
  permissions: parseTexts(row.permissions),
  passwordHash: row.password_hash,
  disabledAt: row.disabled_at,
  lockedAt: row.locked_at,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
