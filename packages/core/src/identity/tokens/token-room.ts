import type { User } from '../users/user.ts'

/**
 * Bytes, as JSON, of what a token may tell of its user, or of what its service may do. Beside them, with the longest of
 * everything else (id of a key, issuer, numbers, the claims of a device), it stays within `limits.tokenBytes`.
 */
export const TOKEN_ROOM = 5000

/** What an option may add to a token, which tells it twice. */
export const LONGEST_ISSUER = 255

/** What tokens tell of a user besides a number. */
export type ToldUser = Pick<User, 'email' | 'employee' | 'department' | 'permissions'>

export const toldOf = ({ email, employee, department, permissions }: ToldUser) => ({
  email,
  employee,
  department,
  permissions: [...permissions],
})

export const hasRoom = (told: object): boolean => Buffer.byteLength(JSON.stringify(told)) <= TOKEN_ROOM
