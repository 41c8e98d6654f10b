import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Countersign, createCountersign, generateKeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { openStorage } from '@countersign/server'
import { lists } from './lists.ts'
import { type Cost, measure } from './measure.ts'
import { generateProjects } from './projects.ts'

const aKeyRing = () => parseKeyRing(generateKeyRing(systemRandom), { exactly: true })

/** What each list costs in a database of so many projects, in the order of `lists`. */
const costsAt = async (count: number, directory: string): Promise<readonly Cost[]> => {
  const path = join(directory, `${count}.db`)
  const isNew = !existsSync(path)
  const storage = await openStorage(`sqlite:${path}`)
  try {
    await storage.migrate()
    if (isNew) await generateProjects(storage, count)
    const { projects }: Countersign = createCountersign({ storage, jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() })
    const costs: Cost[] = []
    for (const { page } of lists) {
      const total = await countOf(projects, page(count, 0, 0))
      costs.push(await measure((run) => projects.list({ ...page(count, total, run), actor: 'admin' })))
    }
    return costs
  } finally {
    await storage.close()
  }
}

/** How many are on the list, told with a page past its end, so that of its rows nothing is remembered yet. */
const countOf = async (projects: Countersign['projects'], input: object): Promise<number> => {
  const { total } = await projects.list({ ...input, page: 1_000_000_000, actor: 'admin' })
  return total
}

const shown = ({ first, median }: Cost): string => `${median.toFixed(2)} (${first.toFixed(1)})`

/**
 * A Markdown table of what lists cost: for each size the median in milliseconds, in brackets the first time; and how many
 * times the smallest size's median the largest one's is.
 */
export const benchLists = async (counts: readonly number[], directory: string): Promise<string> => {
  const columns: (readonly Cost[])[] = []
  for (const count of counts) columns.push(await costsAt(count, directory))
  const rows = lists.map(({ name }, index) => {
    const costs = columns.map((column) => column[index] as Cost)
    const growth = (costs.at(-1)?.median ?? 0) / (costs[0]?.median ?? 1)
    return `| ${[name, ...costs.map(shown), `${growth.toFixed(1)}×`].join(' | ')} |`
  })
  const head = ['list', ...counts.map((count) => count.toLocaleString('en')), 'growth']
  return [`| ${head.join(' | ')} |`, `|---|${'--:|'.repeat(head.length - 1)}`, ...rows].join('\n')
}
