import type { User } from './user.ts'

/** The maximum size of user data or scopes in a token, in bytes of JSON, so that the token fits in `limits.tokenBytes`. */
export const TOKEN_ROOM = 5000

/** The maximum size of the issuer in bytes. A token contains the issuer twice. */
export const LONGEST_ISSUER = 255

/** The user data in a token, besides the user id. */
export type TokenUserData = Pick<User, 'email' | 'employee' | 'department' | 'permissions'>

/** Permissions in a tenant are in no token, so that a token does not grow with the number of tenants. */
export const tokenUserData = ({ email, employee, department, permissions }: TokenUserData) => ({
  email,
  employee,
  department,
  permissions: permissions.filter((permission) => !permission.includes('@')),
})

export const fitsInToken = (told: object): boolean => Buffer.byteLength(JSON.stringify(told)) <= TOKEN_ROOM
