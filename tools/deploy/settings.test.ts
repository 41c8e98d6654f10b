import { operations } from '@countersign/contract'
import { checkConfig } from '@countersign/server'
import { describe, expect, it } from 'vitest'
import { composeServices, configOf, deployFiles, imageSettings, readManifest, readText, unitValues } from './read-deploy-files.ts'

const kubernetesSettings = (): Readonly<Record<string, string>> =>
  (readManifest('config.yaml') as { data: Record<string, string> }).data

const { one, two } = composeServices()
const { terminationGracePeriodSeconds } = (
  readManifest('deployment.yaml') as { spec: { template: { spec: { terminationGracePeriodSeconds: number } } } }
).spec.template.spec

const ways = [
  { way: 'the image', settings: imageSettings(), grace: Number.POSITIVE_INFINITY },
  {
    way: 'Compose',
    settings: { ...imageSettings(), ...one?.environment },
    grace: Number.parseInt(one?.stop_grace_period ?? '', 10),
  },
  {
    way: 'systemd',
    settings: Object.fromEntries(unitValues('Environment').map((line) => line.split('=', 2) as [string, string])),
    grace: Number(unitValues('TimeoutStopSec')[0]),
  },
  { way: 'Kubernetes', settings: { ...imageSettings(), ...kubernetesSettings() }, grace: terminationGracePeriodSeconds },
]

describe.each(ways)('the settings of $way', ({ settings, grace }) => {
  const config = configOf(settings)

  it('describe a production server on port 4000', () => {
    expect(config).toMatchObject({ production: true, port: 4000 })
    expect(config.unknownVariables).toEqual([])
  })

  it('leave fifteen seconds between draining and the end', () => {
    expect(grace).toBeGreaterThanOrEqual(config.drainTime / 1000 + 15)
  })
})

it('both servers of Compose have the same settings', () => {
  expect(one).toBeDefined()
  expect(two).toEqual(one)
})

it('every variable that a file names is a variable of the server', () => {
  const named = deployFiles().flatMap((path) => readText(path).match(/\bCOUNTERSIGN_[A-Z_]+/g) ?? [])
  expect(new Set(named).size).toBeGreaterThan(10)
  expect(checkConfig(Object.fromEntries(named.map((name) => [name, '?']))).config.unknownVariables).toEqual([])
})

it('every address of a health check is an operation of the contract', () => {
  const paths = new Set<string>(Object.values(operations).map(({ path }) => path))
  const asked = deployFiles().flatMap((path) =>
    [...readText(path).matchAll(/(?:GET |path: |4000\})(\/health[\w/]*)/g)].map(([, asked = '']) => asked),
  )
  expect(asked.toSorted()).toEqual(['/health', '/health/live', '/health/live', '/health/live', '/health/ready'])
  expect(asked.filter((path) => !paths.has(path))).toEqual([])
})

it('HAProxy hides /internal and asks the servers of Compose', () => {
  const config = readText('deploy', 'haproxy', 'haproxy.cfg')
  expect(config).toContain('path,url_dec -m beg -i /internal')
  const servers = [...config.matchAll(/^ {2}server (\w+) (\w+):(\d+)$/gm)].map(([, name, host, port]) => [name, host, port])
  expect(servers).toEqual([
    ['one', 'one', '4000'],
    ['two', 'two', '4000'],
  ])
})
