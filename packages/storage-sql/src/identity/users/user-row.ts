import type { User } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { parseTexts, recordMapping } from '../../shared/record-mapping.ts'
import type { UsersTable } from '../../tables/index.ts'

const mapping = recordMapping(
  'id directoryId email name permissions passwordHash disabledAt lockedAt version createdAt updatedAt',
)
const employeeMapping = recordMapping('id=employee_id name=employee_name avatarFileId=employee_avatar_file_id')
const departmentMapping = recordMapping('id=department_id name=department_name')

/** The columns of an employee and a department. */
export const membershipColumns = [...employeeMapping.columns, ...departmentMapping.columns]
export const userColumns = [...mapping.columns, ...membershipColumns]

type Row = Pick<Selectable<UsersTable>, (typeof userColumns)[number]>

export const { toRecord: toEmployee, toRow: fromEmployee } = employeeMapping
export const { toRecord: toDepartment, toRow: fromDepartment } = departmentMapping

export const toUser = (row: Row): User => ({
  ...mapping.toRecord(row),
  employee: toEmployee(row),
  department: toDepartment(row),
  permissions: parseTexts(row.permissions),
})
