import type { User } from '@countersign/core/storage'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { Row } from '../../tables/index.ts'

const mapping = recordMapping(
  'users',
  'id directoryId email name permissions:texts passwordHash disabledAt lockedAt version createdAt updatedAt',
)
const employeeMapping = recordMapping('users', 'id=employee_id name=employee_name avatarFileId=employee_avatar_file_id')
const departmentMapping = recordMapping('users', 'id=department_id name=department_name')

export const membershipColumns = [...employeeMapping.columns, ...departmentMapping.columns]
export const userColumns = [...mapping.columns, ...membershipColumns]

export const { toRecord: toEmployee, toRow: fromEmployee } = employeeMapping
export const { toRecord: toDepartment, toRow: fromDepartment } = departmentMapping

export const toUser = (row: Pick<Row<'users'>, (typeof userColumns)[number]>): User => ({
  ...mapping.toRecord(row),
  employee: toEmployee(row),
  department: toDepartment(row),
})
