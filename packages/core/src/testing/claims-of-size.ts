import { tokenUserData } from '../identity/records/token-room.ts'

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Returns permissions whose JSON list has exactly this many bytes. */
export const permissionsOf = (bytes: number): string[] => {
  const permissions: string[] = []
  for (let number = 0; bytesOf(permissions) < bytes - 100; number += 1) {
    permissions.push(`resource-${String(number).padStart(4, '0')}.action`)
  }
  // A further permission adds a comma and two quotes.
  const left = bytes - bytesOf(permissions) - 3 - 'z.'.length
  const half = Math.ceil(left / 2)
  return [...permissions, `z${'z'.repeat(left - half)}.${'z'.repeat(half)}`]
}

/** Returns a user whose claims in tokens have exactly this many bytes. */
export const userOf = (bytes: number) => {
  const user = {
    email: 'ada@example.test',
    employee: { id: 'emp-7', name: 'Ada Lovelace', avatarFileId: 'file-3' },
    department: { id: 'dep-1', name: 'Engines' },
  }
  const besides = bytesOf(tokenUserData({ ...user, permissions: [] })) - bytesOf([])
  return { ...user, permissions: permissionsOf(bytes - besides) }
}
