import type { AllStores } from '@countersign/core/storage'

/** The methods that change nothing. The journal records every other method; an unnecessary record costs only space. */
type Aggregates = Omit<AllStores, 'projects'> & AllStores['projects']
const reads: { readonly [S in keyof Aggregates]: readonly (keyof Aggregates[S])[] } = {
  users: ['byId', 'byEmail', 'byDirectoryId', 'hashFrom', 'list', 'admit'],
  delegations: ['hold', 'running'],
  sessions: ['byId', 'status', 'ofUser', 'page', 'hold'],
  loginFailures: ['of'],
  devices: ['ofUser', 'evidenceOf', 'byId', 'allOfUser', 'page', 'withFingerprint'],
  passkeys: ['withId', 'allOfUser'],
  trust: ['enrolmentFacts'],
  secrets: [],
  servers: ['since'],
  challenges: [],
  oneTimeCodes: ['byHash'],
  vouchings: ['find', 'startedByRegistrations'],
  pushWindows: [],
  receiptKeys: ['all'],
  actionTypes: ['registryVersion', 'hold', 'registry', 'active', 'byKey'],
  approvalRequests: ['byId', 'allOfRequester', 'openOf', 'confirmationsOf'],
  actionPolicies: ['of'],
  approvals: ['countExpired'],
  confirmations: ['byId', 'pendingOfUser', 'expiring', 'allOfUser', 'finished', 'countFinished', 'page'],
  serviceTokens: ['list', 'status'],
  rateLimits: [],
  customers: ['byId', 'list'],
  projects: ['byCode', 'list', 'references', 'ofPerson'],
  productSchemas: ['registryVersion', 'hold', 'registry', 'active', 'byKey'],
  resources: ['counts'],
  expenses: ['sums'],
}

export const isRead = (store: string, method: string): boolean =>
  (reads as Readonly<Record<string, readonly string[]>>)[store]?.includes(method) ?? false
