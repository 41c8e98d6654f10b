import { readFileSync } from 'node:fs'
import { type CountersignConfig, defaultOptions } from '@countersign/core'
import type { AppOptions } from '@countersign/server'
import { expect, it } from 'vitest'

const page = ['embedding', 'embedding-options', 'embedding-ports']
  .map((name) => readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n')

const under = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''

const units = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1000],
] as const

const duration = (milliseconds: number): string => {
  const [name, length] = units.find(([, each]) => milliseconds >= each && milliseconds % each === 0) ?? ['seconds', 1000]
  const count = milliseconds / length
  return `${count} ${count === 1 ? name.slice(0, -1) : name}`
}

const isDuration = (option: string): boolean =>
  /Lifetime$|Leeway$|Age$|Window$|^coolingOff$|Memory$|Mark$|Retention$/.test(option)

const shown: { readonly [option in keyof typeof defaultOptions]?: string } = {
  projectCode: `${defaultOptions.projectCode({ year: 2026, number: 7 })} for the seventh of 2026`,
  checkPassword: 'none',
  rateLimits: "[the contract's](http-authentication.md#rate-limits)",
}

const asShown = ([name, value]: [string, unknown]): string => {
  const special = shown[name as keyof typeof defaultOptions]
  if (special !== undefined) return special
  if (typeof value === 'number') return isDuration(name) ? duration(value) : String(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

it('the pages on embedding list every option with its default', () => {
  const entries = under('Options').matchAll(/^- `(\w+)` \((.*?)\)(?:: .*)?$/gm)
  const documented = Array.from(entries, ([, name, value = '']) => [name, value.replaceAll('`', '')])
  expect(documented).toStrictEqual(Object.entries(defaultOptions).map(([name, value]) => [name, asShown([name, value])]))
})

it('the pages on embedding list every port that a host may implement', () => {
  const members: Readonly<Record<keyof CountersignConfig, true>> = {
    storage: true,
    parts: true,
    jwtKeys: true,
    encryptionKeys: true,
    receipts: true,
    users: true,
    push: true,
    onNotice: true,
    deliverCode: true,
    passwords: true,
    background: true,
    logger: true,
    observer: true,
    clock: true,
    random: true,
    rateLimitStore: true,
    cacheHealth: true,
    production: true,
    options: true,
  }
  const documented = under('Ports').matchAll(/^\| `(\w+)` \|/gm)
  expect([...documented].map(([, name]) => name)).toStrictEqual(Object.keys(members))
})

it('the line for Hono on the page on embedding is the line of the example, which strict TypeScript checks', () => {
  const line = /^\| \[Hono\]\(.*?\) \| `(.*?)` \|/m.exec(page)?.[1]
  const example = readFileSync(new URL('hono/server.ts', import.meta.url), 'utf8')
  expect(line).toMatch(/^app\.use\(/)
  expect(example.split('\n')).toContain(line?.replaceAll('service.', ''))
})

it('the page on embedding lists every option of `createApp`', () => {
  const members: Readonly<Record<keyof AppOptions, true>> = {
    version: true,
    basePath: true,
    parts: true,
    logger: true,
    logRequests: true,
    logAddresses: true,
    trustProxy: true,
    socketAddress: true,
    requestTarget: true,
    corsOrigins: true,
    isDraining: true,
    playground: true,
    approver: true,
    reference: true,
    onRequest: true,
    tracing: true,
    checkOutput: true,
  }
  const documented = (page.split('\n`createApp` takes:\n')[1]?.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`/gm)
  expect([...documented].map(([, name]) => name)).toStrictEqual(Object.keys(members))
})
