import type { Countersign, MigratedStorage } from '@countersign/core'
import type { NewProject } from '@countersign/core/types'

/**
 * Projects of an imaginary company that builds and maintains things. Their properties are as unevenly distributed as in reality.
 */

const CUSTOMERS = 1000
/** The number of projects in one durable transaction. */
const BATCH = 1000
const DAY = 86_400_000

const list = (...lines: readonly string[]): readonly string[] => lines.join(', ').split(', ')

const kinds = list('New, Extended, Renewed, Temporary, Smart, Automated, Regional, Central')
const things = list(
  'footbridge, pumping station, control room, warehouse, payment portal, sensor network, school wing, turbine hall',
  'railway signal box, booking platform, cold store, laboratory, parking deck, data centre, water tower',
)
const places = list('Aalborg, Brno, Coimbra, Dijon, Essen, Ferrara, Gdańsk, Hội An, İzmir, Jyväskylä, Kraków')
const works = list(
  'Site survey and design, Delivery and assembly, Commissioning with acceptance tests, Migration of the records that exist',
  'Maintenance for three years, Training of the operators, Removal of the old installation',
)

/** Returns each name as often as its percentage says. */
const weighed = <N extends string>(percentages: Readonly<Record<N, number>>): readonly N[] =>
  (Object.entries(percentages) as [N, number][]).flatMap(([name, percentage]) => Array<N>(percentage).fill(name))

const statuses = weighed({ pending: 55, approved: 25, on_hold: 12, rejected: 8 })
const stages = weighed({
  technical_negotiating: 20,
  bidding: 18,
  waiting_for_contract: 15,
  contract_negotiating: 12,
  production_planning: 12,
  in_production: 15,
  delivering: 8,
})

/** Returns an id that sorts like its number. */
const uuid = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** @param number From 0; customers with lower numbers have more projects. */
const customerId = (number: number): string => uuid(number)

/** Returns the id of a project. Later projects have greater ids, as in a real database. */
const idOf = (number: number): string => uuid(CUSTOMERS + number)

const codeOf = (number: number): string => `GEN-2020-${String(number).padStart(7, '0')}`

/** Returns a text that only this project has, like the order number in a search. */
const referenceOf = (number: number): string => `ref-${(number * 7919 + 104_729).toString(36).padStart(6, '0')}`

/** Returns a thing and its place, which 0.6 % of all projects have in their names; another for each number up to 165. */
const thingAt = (number: number): string => `${things[number % things.length]} ${places[number % places.length]}`

/** Returns random numbers from 0 to 1 that are the same in every run: Mulberry32 with one 32-bit seed. */
const createDraw = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a function that draws the project with a number, from 0. */
const createProjects = (seed: number, creatorId: number): ((number: number) => NewProject) => {
  const draw = createDraw(seed)
  const below = (count: number): number => Math.floor(draw() * count)
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T
  return (number) => {
    const createdAt = Date.UTC(2020, 0, 1) + number * 1000 + below(900)
    return {
      id: idOf(number),
      uniqueCode: codeOf(number),
      name: `${oneOf(kinds)} ${oneOf(things)} ${oneOf(places)} ${below(90) + 10}`,
      description: `${oneOf(works)}. ${oneOf(works)}, ${referenceOf(number)}. ${oneOf(works)} in ${oneOf(places)}.`,
      status: oneOf(statuses),
      progress: oneOf(stages),
      contractValue: Math.round(10 ** (3 + draw() * 4) * 100) / 100,
      currency: draw() < 0.8 ? 'EUR' : 'CHF',
      replyDate: draw() < 0.3 ? null : createdAt + below(90) * DAY,
      // A few customers have many projects, most have few.
      customerId: customerId(Math.floor(draw() ** 2 * CUSTOMERS)),
      creatorId,
      createdAt,
      updatedAt: createdAt + below(30) * DAY,
      products: [],
      participantIds: [],
      documentFileIds: [],
    }
  }
}

/** Fills an empty, migrated database with this many projects, the same in every run. */
export const fillWithProjects = async (storage: MigratedStorage, count: number): Promise<void> => {
  const nothing = { employee: { id: '', name: '', avatarFileId: '' }, department: { id: '', name: '' }, permissions: [] }
  const person = { email: 'bench@example.test', name: 'Bench', directoryId: null, passwordHash: null, createdAt: 0 }
  const user = await storage.users.create({ ...person, ...nothing })
  await storage.transaction(async (tx) => {
    for (let number = 0; number < CUSTOMERS; number += 1) {
      const customer = { name: `Customer ${number}`, email: `c${number}@example.test`, createdAt: 0 }
      await tx.projects.customers.add({ id: customerId(number), ...customer })
    }
  })
  const project = createProjects(20_260_101, user?.id ?? 0)
  for (let from = 0; from < count; from += BATCH) {
    // The projects are drawn before the transaction, which may run again.
    const projects = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => project(from + index))
    await storage.transaction(async (tx) => {
      for (const one of projects) await tx.projects.projects.create(one)
    })
  }
}

/**
 * The input of a request for a list; `count` is the number of projects, `total` of those on the list, `run` counts measurements.
 */
type Page = (count: number, total: number, run: number) => Omit<Parameters<Countersign['projects']['list']>[0], 'caller'>

/** The cost of a page with an exact total should not depend on the number of projects. */
const LEVEL = { most: 1.5, comparedTo: 10_000 }
const pageAt = (total: number, share: number): number => Math.max(1, Math.ceil((total / 10) * share))

const pages = (name: string, filter: ReturnType<Page>) =>
  (
    [
      ['page 1', () => filter],
      ['middle', (_, total) => ({ ...filter, page: pageAt(total, 0.5) })],
      // The following pages, as people read on, as far as the shortest list goes.
      [
        'pages after the middle',
        (_, total, run) => ({ ...filter, page: Math.min(pageAt(total, 0.5) + (run % 8), pageAt(total, 1)) }),
      ],
      ['last', (_, total) => ({ ...filter, page: pageAt(total, 1) })],
    ] satisfies [string, Page][]
  ).map(([where, page]) => ({ what: `${name}, ${where}`, bound: LEVEL, page: page as Page }))

/** All measured lists, each with its exact total. A search without a cached total has another text each time. */
export const lists = [
  ...pages('all, newest first', {}),
  ...pages('all, sorted by name', { sortBy: 'name', sortOrder: 'asc' }),
  ...pages('status', { status: 'approved' }),
  ...pages('progress', { progress: 'bidding' }),
  ...pages('customer', { customerId: customerId(7) }),
  ...pages('status, sorted by value', { status: 'on_hold', sortBy: 'contract_value' }),
  ...pages('status and progress', { status: 'approved', progress: 'delivering' }),
  {
    what: 'search with one match',
    page: ((count, _, run) => ({ search: referenceOf((Math.floor(count * 0.63) + run * 37) % count) })) as Page,
  },
  { what: 'search without matches', page: ((_, __, run) => ({ search: `ref-${run}-none` })) as Page },
  {
    what: 'search for words, total cached',
    bound: { most: 2, comparedTo: 100_000 },
    page: (() => ({ search: 'signal box Kraków 42' })) as Page,
  },
  {
    what: 'search with 0.6 % matches, total not cached',
    bound: { most: 15 },
    page: ((_, __, run) => ({ search: thingAt(run) })) as Page,
  },
]
