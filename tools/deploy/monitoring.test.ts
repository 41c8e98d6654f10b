import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMetrics } from '@countersign/server/metrics'
import GithubSlugger from 'github-slugger'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, stringify } from 'yaml'
import { repository } from '../workspace.ts'

const folder = join(repository, 'deploy', 'monitoring')
const read = (...path: readonly string[]): string => readFileSync(join(repository, ...path), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}
interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}

const rules = (parse(read('deploy', 'monitoring', 'countersign.rules.yml')) as Rules).groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(read('deploy', 'monitoring', 'grafana-dashboard.json')) as { readonly panels: readonly Panel[] }
const graphs = dashboard.panels.filter(({ type }) => type !== 'row')

/** Returns the names of the metrics that a server offers, with the names of the series of histograms. */
const offeredNames = async (): Promise<ReadonlySet<string>> => {
  const types = (await createMetrics().text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)
  return new Set(
    [...types].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((suffix) => `${name}_${suffix}`) : [name],
    ),
  )
}
const namesIn = (expr: string): readonly string[] => expr.match(/\b(?:countersign|nodejs|process)_\w+/g) ?? []

/** Returns the metrics of an expression that no server offers. */
const unknownIn = async (expr: string): Promise<readonly string[]> => {
  const offered = await offeredNames()
  return namesIn(expr).filter((name) => !offered.has(name))
}

describe('the alert rules', () => {
  it.each(rules)('$alert reads only metrics that a server offers', async ({ expr }) => {
    expect(await unknownIn(expr)).toEqual([])
    if (!expr.startsWith('up{')) expect(namesIn(expr)).not.toEqual([])
  })

  it('read only events of the log whose counters start at 0, so that the first event is seen', async () => {
    const events = rules.flatMap(({ expr }) => [...expr.matchAll(/event="(\w+)"/g)].map(([, event]) => event))
    const text = await createMetrics().text()
    for (const event of events) expect(text).toContain(`event="${event}"} 0`)
    expect(events.length).toBeGreaterThan(0)
  })

  it('link to their section of the page about alerts, which describes no other alerts', () => {
    const headings = read('docs', 'operations', 'alerts.md').matchAll(/^### (.*)$/gm)
    const names = [...headings].map(([, name]) => name)
    expect(names).toEqual(rules.map(({ alert }) => alert))
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url.endsWith(`/docs/operations/alerts.md#${new GithubSlugger().slug(alert)}`)).toBe(true)
    }
  })

  it('each have a test of promtool', () => {
    const { tests } = parse(read('deploy', 'monitoring', 'countersign.rules.test.yml')) as { tests: readonly { name: string }[] }
    expect(tests.map(({ name }) => name)).toEqual(rules.map(({ alert }) => alert))
  })
})

describe('the dashboard', () => {
  it.each(graphs)('$title reads only metrics that a server offers', async ({ targets = [], description }) => {
    expect(description).toMatch(/\.$/)
    expect(targets.flatMap(({ expr }) => namesIn(expr))).not.toEqual([])
    for (const { expr } of targets) expect(await unknownIn(expr)).toEqual([])
  })

  it('places its panels without overlaps', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })

  it('shows every metric of Countersign', () => {
    const shown = new Set(graphs.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => namesIn(expr))))
    const bases = new Set([...shown].map((name) => name.replace(/_(?:bucket|count|sum)$/, '')))
    const missing = metricsOfPage().filter((name) => !bases.has(name))
    // The limits of queues and pools are lines of the same panels.
    expect(missing).toEqual([])
  })
})

/** Returns the metrics that the page about metrics names. */
const metricsOfPage = (): readonly string[] => [
  ...new Set(
    read('docs', 'operations', 'metrics.md')
      .match(/(?<=^\|.*)`countersign_\w+`/gm)
      ?.map((name) => name.slice(1, -1)),
  ),
]

it('the page about metrics lists every metric of Countersign', async () => {
  const types = (await createMetrics({ process: false }).text()).matchAll(/^# TYPE (\w+) /gm)
  expect(metricsOfPage().toSorted()).toEqual([...types].map(([, name]) => name).toSorted())
})

/** Prometheus checks and tries the rules if its tool is installed (Debian: `apt-get install prometheus`). */
const hasPromtool = spawnSync('promtool', ['--version']).status === 0

describe.skipIf(!hasPromtool)('promtool', () => {
  it.each([
    ['check', 'rules', 'countersign.rules.yml'],
    ['test', 'rules', 'countersign.rules.test.yml'],
    ['check', 'config', 'prometheus.yml'],
  ])('%s %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
  })

  it('accepts every metric of a server', async () => {
    const metrics = createMetrics()
    metrics.countingPush({ send: async () => {}, health: async () => 'healthy' }, 'webhook')
    const services = { database: 'healthy', cache: 'healthy', pushProvider: 'healthy' } as const
    const token = { id: 'a', service: 'a', scopes: [], within: [], createdAt: 0, expiresAt: 1, revokedAt: null }
    metrics.watch({
      health: async () => ({ status: 'healthy', services, clockOffsetMs: 1 }),
      readiness: async () => ({ status: 'ready' }),
      passwords: () => [{ lane: 'own', running: 1, waiting: 1, waitMs: 1, longestWaitMs: 1 }],
      storage: () => ({ listening: true, sessionCache: { hits: 1, misses: 1 } }),
      serviceTokens: async () => [token],
      expiredApprovals: async () => ({ confirmation: 1, request: 1 }),
    })
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await metrics.text(),
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([0, '', ''])
  })

  it('can parse every expression of the dashboard', () => {
    const expressions = graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const plain = expressions.map((expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'))
    const directory = mkdtempSync(join(tmpdir(), 'countersign-dashboard-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const file = join(directory, 'expressions.yml')
    const recorded = plain.map((expr, index) => ({ record: `expression_${index}`, expr }))
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    expect(status, `${stdout}${stderr}`).toBe(0)
  })
})
