import type { ProjectProgress } from '@countersign/contract'
import type { MigratedStorage } from '@countersign/core'
import type { NewProject } from '@countersign/core/storage'
import { createDraw, type Draw } from './random.ts'

/**
 * Projects of an imaginary company that builds and maintains things. Their properties are as unevenly distributed as in reality.
 */

const SEED = 20_260_101
const CUSTOMERS = 1000
/** The number of projects in one durable transaction. */
const BATCH = 1000
const FIRST_CREATED = Date.UTC(2020, 0, 1)
const DAY = 86_400_000

const kinds = ['New', 'Extended', 'Renewed', 'Temporary', 'Smart', 'Automated', 'Regional', 'Central'] as const
const things = [
  'footbridge',
  'pumping station',
  'control room',
  'warehouse',
  'payment portal',
  'sensor network',
  'school wing',
  'turbine hall',
  'railway signal box',
  'booking platform',
  'cold store',
  'laboratory',
  'parking deck',
  'data centre',
  'water tower',
] as const
const places = [
  'Aalborg',
  'Brno',
  'Coimbra',
  'Dijon',
  'Essen',
  'Ferrara',
  'Gdańsk',
  'Hội An',
  'İzmir',
  'Jyväskylä',
  'Kraków',
] as const
const works = [
  'Site survey and design',
  'Delivery and assembly',
  'Commissioning with acceptance tests',
  'Migration of the records that exist',
  'Maintenance for three years',
  'Training of the operators',
  'Removal of the old installation',
] as const

/** The percentage of projects with each status and at each stage. */
const statuses = { pending: 55, approved: 25, on_hold: 12, rejected: 8 } as const
const stages: Readonly<Record<ProjectProgress, number>> = {
  technical_negotiating: 20,
  bidding: 18,
  waiting_for_contract: 15,
  contract_negotiating: 12,
  production_planning: 12,
  in_production: 15,
  delivering: 8,
}

/** Returns each name as often as its weight says. */
const weighed = <N extends string>(weights: Readonly<Record<N, number>>): readonly N[] =>
  (Object.entries(weights) as [N, number][]).flatMap(([name, weight]) => Array<N>(weight).fill(name))

const hundredStatuses = weighed(statuses)
const hundredStages = weighed(stages)

/** Returns an id that sorts like its number. */
const uuid = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Draws a customer: a few customers have many projects, most have few. */
const customerOf = (draw: Draw): string => customerId(Math.floor(draw.share() ** 2 * CUSTOMERS))

/** @param number From 0; customers with lower numbers have more projects. */
export const customerId = (number: number): string => uuid(number)

/** Returns the id of a project. Later projects have greater ids, as in a real database. */
export const idOf = (number: number): string => uuid(CUSTOMERS + number)

export const codeOf = (number: number): string => `GEN-2020-${String(number).padStart(7, '0')}`

/** Returns a text that only this project has, like the order number in a search. */
export const referenceOf = (number: number): string => `ref-${(number * 7919 + 104_729).toString(36).padStart(6, '0')}`

/** Returns a thing and its place, which 0.6 % of all projects have in their names; another for each number up to 165. */
export const thingAt = (number: number): string => `${things[number % things.length]} ${places[number % places.length]}`

/** Draws the project with this number, from 0. */
export const drawProject = (draw: Draw, number: number, creatorId: number): NewProject => {
  const createdAt = FIRST_CREATED + number * 1000 + draw.below(900)
  return {
    id: idOf(number),
    uniqueCode: codeOf(number),
    name: `${draw.oneOf(kinds)} ${draw.oneOf(things)} ${draw.oneOf(places)} ${draw.below(90) + 10}`,
    description: `${draw.oneOf(works)}. ${draw.oneOf(works)}, ${referenceOf(number)}. ${draw.oneOf(works)} in ${draw.oneOf(places)}.`,
    status: hundredStatuses[draw.below(100)] ?? 'pending',
    progress: hundredStages[draw.below(100)] ?? 'bidding',
    contractValue: Math.round(10 ** (3 + draw.share() * 4) * 100) / 100,
    currency: draw.share() < 0.8 ? 'EUR' : 'CHF',
    replyDate: draw.share() < 0.3 ? null : createdAt + draw.below(90) * DAY,
    customerId: customerOf(draw),
    creatorId,
    createdAt,
    updatedAt: createdAt + draw.below(30) * DAY,
    products: [],
    participantIds: [],
    documentFileIds: [],
  }
}

const createPeople = async ({ users, projects: { customers } }: MigratedStorage): Promise<number> => {
  const nothing = { employee: { id: '', name: '', avatarFileId: '' }, department: { id: '', name: '' }, permissions: [] }
  const person = { email: 'bench@example.test', name: 'Bench', directoryId: null, passwordHash: null, createdAt: 0 }
  const user = await users.create({ ...person, ...nothing })
  if (user === undefined) throw new Error('the database holds a bench already')
  for (let number = 0; number < CUSTOMERS; number += 1) {
    await customers.add({ id: customerId(number), name: `Customer ${number}`, email: `c${number}@example.test`, createdAt: 0 })
  }
  return user.id
}

/** Fills an empty, migrated database with this many projects, the same in every run. */
export const generateProjects = async (storage: MigratedStorage, count: number): Promise<void> => {
  const draw = createDraw(SEED)
  const creatorId = await createPeople(storage)
  for (let from = 0; from < count; from += BATCH) {
    // The projects are drawn before the transaction, which may run again.
    const projects = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) =>
      drawProject(draw, from + index, creatorId),
    )
    await storage.transaction(async (tx) => {
      for (const project of projects) await tx.projects.projects.create(project)
    })
  }
}
