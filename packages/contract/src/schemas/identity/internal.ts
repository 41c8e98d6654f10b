import * as z from 'zod'
import { type AuthenticationErrorCode, authenticationErrorCodes } from '../../errors/index.ts'
import { probeStatuses, tokenUses, trustLevels } from '../../vocabulary.ts'
import { extended } from '../extended.ts'
import { hostChosenName, matching, oneOf, renamedTo, requiredAction, timestamp } from '../fields.ts'

/** The name of a calling service, such as `billing` or `Project Service`. Names are compared without case. */
export const serviceName = matching(
  /^[A-Za-z0-9._/-](?:[A-Za-z0-9._/ -]{0,62}[A-Za-z0-9._/-])?$/,
  'must be 1 to 64 of A-Z, a-z, 0-9, dot, underscore, slash, hyphen, and spaces in between',
)

const probe = oneOf(probeStatuses)

export const internalShapes = {
  'internal.verify': {
    input: z.object({ serviceName, tenant: hostChosenName.optional(), scope: renamedTo('tenant') }),
    output: z.object({
      valid: z.literal(true),
      // Claims of the contract have the contract's names, as in OAuth. All other claims are named like the members of other
      // answers.
      claims: z.object({
        id: z.int().nullable(),
        email: z.string().nullable(),
        permissions: z.array(z.string()),
        token_use: oneOf(tokenUses),
        device_id: z.string().nullable(),
        trust_level: oneOf(trustLevels).nullable(),
        service_name: z.string().optional(),
        /** The id of the user in the directory of the host; `null` for a user whom Countersign keeps, and for a service. */
        directoryId: extended(z.string().nullable()),
        /** The permissions in one tenant only, by tenant: of at most 100 tenants, or only of the requested one. */
        tenants: extended(z.record(z.string(), z.array(z.string()))),
        /** Present if there are more tenants. */
        tenantsTruncated: extended(z.literal(true)),
      }),
    }),
  },
  'health.check': {
    input: z.object({}),
    output: z
      .object({
        status: z.enum(['healthy', 'unhealthy', 'draining']),
        timestamp,
        version: z.string(),
        services: z.object({ database: probe, cache: probe, push_provider: probe }),
        uptime: z.int(),
      })
      .meta({ id: 'HealthReport' }),
  },
  'health.live': { input: z.object({}), output: z.object({ status: z.literal('live') }) },
  'health.ready': {
    input: z.object({}),
    output: z.object({ status: z.enum(['ready', 'unready', 'draining']), timestamp }).meta({ id: 'ReadinessReport' }),
  },
} as const

/** The body of a 401 of `/internal/verify`. It names no code and no reason. */
export const tokenRefusal = z
  .object({ valid: z.literal(false), message: z.string(), statusCode: z.int() })
  .meta({ id: 'TokenRefusal' })

/** Every other error body of the authentication service. Programs compare `code`. */
export const errorBody = z
  .object({
    message: z.string(),
    statusCode: z.int(),
    code: z
      .enum(authenticationErrorCodes as [AuthenticationErrorCode, ...AuthenticationErrorCode[]])
      .meta({ description: 'The stable name of the error, which programs compare' }),
    details: z
      .union([z.record(z.string(), z.string()), requiredAction])
      .optional()
      .meta({
        description:
          'In errors of status 400, each bad field and what it takes. In `CONFIRMATION_REQUIRED`, the action to confirm.',
      }),
  })
  .meta({ id: 'Error' })
