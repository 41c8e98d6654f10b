import { hash } from 'node:crypto'
import type { Countersign, MigratedStorage } from '@countersign/core'
import type { NewProject } from '@countersign/core/storage'
import { aCustomer, aNewUser, aProject } from '@countersign/core/testing'

/** Projects of an imaginary company, whose properties are as unevenly distributed as in reality. */

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
const early = { technical_negotiating: 20, bidding: 18, waiting_for_contract: 15, contract_negotiating: 12 }
const stages = weighed({ ...early, production_planning: 12, in_production: 15, delivering: 8 })

/** Returns an id that sorts like its number, so that later projects have greater ids, as in a real database. */
const uuid = (number: number): string => `01900000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

/** Returns a text that only this project has, like the order number in a search. */
const referenceOf = (number: number): string => `ref-${(number * 7919 + 104_729).toString(36).padStart(6, '0')}`

/** Returns the project with a number, from 0; the same in every run. Customers with lower numbers have more projects. */
const projectOf = (number: number, creatorId: number): NewProject => {
  const digest = hash('sha512', String(number), 'buffer')
  const draw = (at: number): number => digest.readUInt32LE(4 * at) / 2 ** 32
  const below = (count: number, at: number): number => Math.floor(draw(at) * count)
  const oneOf = <T>(values: readonly T[], at: number): T => values[below(values.length, at)] as T
  const createdAt = Date.UTC(2020, 0, 1) + number * 1000 + below(900, 0)
  return aProject({
    id: uuid(CUSTOMERS + number),
    uniqueCode: `GEN-2020-${String(number).padStart(7, '0')}`,
    name: `${oneOf(kinds, 1)} ${oneOf(things, 2)} ${oneOf(places, 3)} ${below(90, 4) + 10}`,
    description: `${oneOf(works, 5)}. ${oneOf(works, 6)}, ${referenceOf(number)}. ${oneOf(works, 7)} in ${oneOf(places, 8)}.`,
    status: oneOf(statuses, 9),
    progress: oneOf(stages, 10),
    contractValue: Math.round(10 ** (3 + draw(11) * 4) * 100) / 100,
    currency: draw(12) < 0.8 ? 'EUR' : 'CHF',
    replyDate: draw(13) < 0.3 ? null : createdAt + below(130, 13) * DAY,
    customerId: uuid(Math.floor(draw(14) ** 2 * CUSTOMERS)),
    creatorId,
    createdAt,
    updatedAt: createdAt + below(30, 15) * DAY,
  })
}

export const fillWithProjects = async (storage: MigratedStorage, count: number): Promise<void> => {
  const [user] = await storage.users.create([aNewUser()])
  await storage.transaction(async (tx) => {
    for (let number = 0; number < CUSTOMERS; number += 1) await tx.projects.customers.add(aCustomer({ id: uuid(number) }))
  })
  for (let from = 0; from < count; from += BATCH) {
    await storage.transaction(async (tx) => {
      for (let number = from; number < Math.min(from + BATCH, count); number += 1) {
        const { uniqueCode, ...project } = projectOf(number, user?.id ?? 0)
        await tx.projects.projects.create(project, 1, () => uniqueCode)
      }
    })
  }
}

/** The input of a request for a list; `count`: all projects; `total`: the projects on the list; `run` counts measurements. */
type Page = (count: number, total: number, run: number) => Omit<Parameters<Countersign['projects']['list']>[0], 'caller'>

const pageAt = (total: number, share: number): number => Math.max(1, Math.ceil((total / 10) * share))

const whereabouts = {
  'page 1': () => 1,
  middle: (total: number) => pageAt(total, 0.5),
  // The second and all later pages, up to the length of the shortest list.
  'pages after the middle': (total: number, run: number) => Math.min(pageAt(total, 0.5) + (run % 8), pageAt(total, 1)),
  last: (total: number) => pageAt(total, 1),
}

/** The cost of a page with an exact total should not depend on the number of projects. */
const pages = (name: string, filter: ReturnType<Page>) =>
  Object.entries(whereabouts).map(([where, pageOf]) => ({
    what: `${name}, ${where}`,
    bound: { most: 1.5, comparedTo: 10_000 },
    page: ((_, total, run) => ({ ...filter, page: pageOf(total, run) })) as Page,
  }))

const search = (what: string, page: Page, bound?: { readonly most: number; readonly comparedTo?: number }) => ({
  ...{ what, page },
  ...(bound && { bound }),
})

/** All measured lists, each with its exact total. A search without a cached total has another text each time. */
export const lists = [
  ...pages('all, newest first', {}),
  ...pages('all, sorted by name', { sortBy: 'name', sortOrder: 'asc' }),
  ...pages('status', { status: 'approved' }),
  ...pages('progress', { progress: 'bidding' }),
  ...pages('customer', { customerId: uuid(7) }),
  ...pages('status, sorted by value', { status: 'on_hold', sortBy: 'contract_value' }),
  ...pages('status and progress', { status: 'approved', progress: 'delivering' }),
  search('search with one match', (count, _, run) => ({ search: referenceOf((Math.floor(count * 0.63) + run * 37) % count) })),
  search('search without matches', (_, __, run) => ({ search: `ref-${run}-none` })),
  search('search for words, total cached', () => ({ search: 'signal box Kraków 42' }), { most: 2, comparedTo: 100_000 }),
  // A thing and its place, which occur in the names of 0.6 % of all projects; a different pair for each number up to 165.
  search(
    'search with 0.6 % matches, total not cached',
    (_, __, run) => ({ search: `${things[run % things.length]} ${places[run % places.length]}` }),
    { most: 15 },
  ),
]
