import { tokenUserData } from '../identity/tokens/token-room.ts'

const bytesOf = (told: unknown): number => Buffer.byteLength(JSON.stringify(told))

/** Permissions that take so many bytes as JSON writes their list. */
export const permissionsOf = (bytes: number): string[] => {
  const permissions: string[] = []
  for (let number = 0; bytesOf(permissions) < bytes - 100; number += 1) {
    permissions.push(`resource-${String(number).padStart(4, '0')}.action`)
  }
  // A comma and two quotes stand around each one more.
  const left = bytes - bytesOf(permissions) - 3 - 'z.'.length
  const half = Math.ceil(left / 2)
  return [...permissions, `z${'z'.repeat(left - half)}.${'z'.repeat(half)}`]
}

/** A user of whom tokens tell so many bytes. */
export const userOf = (bytes: number) => {
  const user = {
    email: 'ada@example.test',
    employee: { id: 'emp-7', name: 'Ada Lovelace', avatarFileId: 'file-3' },
    department: { id: 'dep-1', name: 'Engines' },
  }
  const besides = bytesOf(tokenUserData({ ...user, permissions: [] })) - bytesOf([])
  return { ...user, permissions: permissionsOf(bytes - besides) }
}
