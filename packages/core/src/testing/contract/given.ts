import type { Confirmation, Evidence } from '../../approvals/records/confirmation.ts'
import type { Device } from '../../identity/records/device.ts'
import type { Passkey } from '../../identity/records/passkey.ts'
import type { Session } from '../../identity/records/session.ts'
import type { NewUser, User } from '../../identity/records/user.ts'
import type { Customer } from '../../projects/records/customer.ts'
import type { NewProject } from '../../projects/records/project.ts'
import { days, type Instant } from '../../shared/clock.ts'
import type { AllStores, FullStorage } from '../../storage.ts'
import {
  aConfirmation,
  aCustomer,
  aDevice,
  aNewUser,
  anEvidence,
  aPasskey,
  aProject,
  aRegistrationEvidence,
  aSession,
} from '../builders.ts'

/** Functions that put rows into the database before a test acts. */

const UNLIMITED = 1_000_000

export const givenUser = async (stores: AllStores, overrides: Partial<NewUser> = {}): Promise<User> => {
  const [user] = await stores.users.create([aNewUser(overrides)])
  if (user === undefined) throw new Error('the email of a given user is taken')
  return user
}

/** Creates a user with a live session. */
export const givenUserInSession = async (stores: AllStores): Promise<{ readonly user: User; readonly sessionId: string }> => {
  const user = await givenUser(stores)
  return { user, sessionId: (await givenSession(stores, { userId: user.id })).id }
}

export const givenSession = async (
  stores: AllStores,
  overrides: Partial<Session> & Pick<Session, 'userId'>,
): Promise<Session> => {
  const session = aSession(overrides)
  await stores.sessions.open(session)
  return session
}

/** Runs work in a live session of the user, and ends the session afterwards. */
const inTemporarySession = async <T>(stores: AllStores, userId: number, work: (sessionId: string) => Promise<T>): Promise<T> => {
  const { id, createdAt } = await givenSession(stores, { userId })
  const outcome = await work(id)
  await stores.sessions.end(id, 'logout', createdAt)
  return outcome
}

/** Creates a device of a user; by default without the evidence of its registration. */
export const givenDevice = async (
  stores: AllStores,
  overrides: Partial<Device> & Pick<Device, 'userId'>,
  evidence?: 'with evidence',
): Promise<Device> => {
  const device = aDevice(overrides)
  const outcome = await inTemporarySession(stores, device.userId, (sessionId) =>
    stores.devices.register(
      device,
      sessionId,
      UNLIMITED,
      evidence && aRegistrationEvidence({ userId: device.userId, deviceId: device.id }),
    ),
  )
  if (outcome !== 'registered') throw new Error(`a given device is refused: ${outcome}`)
  return device
}

export const givenPasskey = async (
  stores: AllStores,
  overrides: Partial<Passkey> & Pick<Passkey, 'userId'>,
): Promise<Passkey> => {
  const passkey = aPasskey(overrides)
  const outcome = await inTemporarySession(stores, passkey.userId, (sessionId) =>
    stores.passkeys.register(passkey, sessionId, UNLIMITED),
  )
  if (outcome !== 'registered') throw new Error(`a given passkey is refused: ${outcome}`)
  return passkey
}

export const givenConfirmation = async (
  stores: AllStores,
  overrides: Partial<Confirmation> & Pick<Confirmation, 'userId'>,
): Promise<Confirmation> => {
  const confirmation = aConfirmation(overrides)
  if (!(await stores.confirmations.initiate(confirmation, UNLIMITED))) throw new Error('a given confirmation is refused')
  return confirmation
}

/** Creates a user with a trusted device and a live session, from a time on. `approve` approves a confirmation of the user then. */
export const givenApprover = async (stores: AllStores, at: Instant) => {
  const { id: userId } = await givenUser(stores, { createdAt: at })
  const device = await givenDevice(stores, { userId, createdAt: at, trustedAt: at })
  const { id: sessionId } = await givenSession(stores, { userId, createdAt: at, refreshExpiresAt: at + days(30) })
  const approve = (id: string, evidence: Partial<Evidence> = {}) =>
    stores.confirmations.approve({
      id,
      userId,
      deviceId: device.id,
      sessionId,
      evidence: anEvidence({ approvedAt: at, ...evidence }),
      now: at,
    })
  return { userId, device, sessionId, approve }
}
export type Approver = Awaited<ReturnType<typeof givenApprover>>

export const givenCustomer = async (stores: AllStores, overrides: Partial<Customer> = {}): Promise<Customer> => {
  const customer = aCustomer(overrides)
  await stores.projects.customers.add(customer)
  return customer
}

/** Creates a project, by default with a new customer and a new creator. */
export const givenProject = async (storage: FullStorage, overrides: Partial<NewProject> = {}): Promise<NewProject> => {
  const customerId = overrides.customerId ?? (await givenCustomer(storage)).id
  const creatorId = overrides.creatorId ?? (await givenUser(storage)).id
  const project = aProject({ ...overrides, customerId, creatorId })
  if (!(await storage.transaction((tx) => tx.projects.projects.create(project, 1, () => project.uniqueCode))))
    throw new Error('the code of a given project is taken')
  return project
}
