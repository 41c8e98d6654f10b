import { isStorable } from '@countersign/contract'
import * as z from 'zod'
import { complaints } from '../../../shared/check-input.ts'
import { Invalid } from '../../../shared/errors.ts'
import { type ImportLine, isRefusedLine, type RefusedLine } from '../../../shared/import-line.ts'
import type { IdentityDeps } from '../../deps.ts'
import type { NewUser, User } from '../../records/user.ts'
import { checkedProfile, checkedTokenSize } from '../../user-model/user-input.ts'

/** A user in a file. `undefined` and `null` mean that a member is absent. */
export interface UserLine {
  readonly email: string
  readonly name?: string | null
  /** In PHC or modular crypt format. Without a hash, the user cannot log in by password. */
  readonly passwordHash?: string | null
  /** `<resource>.<action>`, `<resource>.*` or `*.*`. */
  readonly permissions?: readonly string[] | null
  readonly employee?: { readonly id?: string | null; readonly name?: string | null; readonly avatarFileId?: string | null } | null
  readonly department?: { readonly id?: string | null; readonly name?: string | null } | null
}

const text = z.string({ error: 'must be text' }).refine(isStorable, { error: 'must be text without NUL and unpaired surrogates' })
const optional = <S extends z.ZodType>(schema: S) => schema.nullish().transform((value) => value ?? undefined)

/** An object without further members. A misspelt member would be lost without a word. */
const members = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `must be absent: the members are ${Object.keys(shape).join(', ')}` : 'must be an object',
  })

const userLine = members({
  email: text,
  name: optional(text),
  passwordHash: optional(text),
  permissions: optional(z.array(text, { error: 'must be a list of texts' })),
  employee: optional(members({ id: optional(text), name: optional(text), avatarFileId: optional(text) })),
  department: optional(members({ id: optional(text), name: optional(text) })),
})

/** A line that can be imported. */
export interface CheckedLine {
  readonly line: number
  /** The user to add if nobody has the email. */
  readonly user: Omit<NewUser, 'createdAt'>
  /** The members that the line has. They replace the members of a user who exists. */
  readonly given: GivenMembers
}

/** The members of a user that a line has. */
export interface GivenMembers extends Partial<Pick<User, 'name' | 'permissions'>> {
  readonly passwordHash?: string
  readonly employee?: Partial<User['employee']>
  readonly department?: Partial<User['department']>
}

/** The hasher, and whether hashes whose check takes long are accepted. */
export type CheckLineDeps = Pick<IdentityDeps, 'passwords'> & { readonly acceptSlow: boolean }

/** Returns the text to store for a hash. A hasher without a check of imported hashes accepts none. @throws Invalid */
const acceptedHash = async ({ passwords, acceptSlow }: CheckLineDeps, hash: string): Promise<string> => {
  const accepted = (await passwords.acceptHash?.(hash, { acceptSlow })) ?? {
    refusal: 'must be absent: the password hasher of this host accepts none',
  }
  if ('refusal' in accepted) throw new Invalid({ passwordHash: accepted.refusal })
  return accepted.hash
}

/** Returns the members that the line has, with their checked values. */
const givenOf = <T extends object>(given: Partial<Record<keyof T, unknown>>, checkedMembers: T): Partial<T> =>
  Object.fromEntries(Object.entries(checkedMembers).filter(([name]) => given[name as keyof T] !== undefined)) as Partial<T>

const checked = async (deps: CheckLineDeps, line: number, value: z.output<typeof userLine>): Promise<CheckedLine> => {
  const { email, name, passwordHash: given, permissions, employee, department } = value
  const profile = checkedTokenSize(checkedProfile({ email, name, permissions: permissions ?? [], employee, department }))
  const passwordHash = given === undefined ? null : await acceptedHash(deps, given)
  return {
    line,
    user: { ...profile, passwordHash, directoryId: null },
    given: {
      ...(name !== undefined && { name: profile.name }),
      ...(employee !== undefined && { employee: givenOf(employee, profile.employee) }),
      ...(department !== undefined && { department: givenOf(department, profile.department) }),
      ...(permissions !== undefined && { permissions: profile.permissions }),
      ...(passwordHash !== null && { passwordHash }),
    },
  }
}

const LONGEST_NAME = 100

/** Moves the complaint about an unknown member from its object to the member, so that the reason names it. */
const namingMembers = ({ issues }: z.ZodError): z.ZodError =>
  new z.ZodError(
    issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? { ...issue, path: [...issue.path, (issue.keys[0] ?? '').slice(0, LONGEST_NAME)] }
        : issue,
    ),
  )

/** Checks a line without asking the database and without computing its hash. */
export const checkLine = async (deps: CheckLineDeps, given: ImportLine | RefusedLine): Promise<CheckedLine | RefusedLine> => {
  if (isRefusedLine(given)) return given
  const { line, value } = given
  const result = userLine.safeParse(value)
  try {
    if (!result.success) throw new Invalid(complaints(namingMembers(result.error)))
    return await checked(deps, line, result.data)
  } catch (error) {
    if (error instanceof Invalid) return { line, reason: error.message }
    throw error
  }
}
