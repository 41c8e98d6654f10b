import { operations } from '@countersign/contract'
import { checkConfig } from '@countersign/server'
import { describe, expect, it } from 'vitest'
import { namedSettings } from '../../packages/server/src/config/settings.ts'
import {
  composeServices,
  configOf,
  deployFiles,
  imageSettings,
  readManifest,
  readText,
  unitValues,
} from './testing/read-deploy-files.ts'

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number
        readonly volumes: readonly { readonly name: string; readonly secret: object }[]
        readonly containers: readonly {
          readonly envFrom: readonly object[]
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
        }[]
      }
    }
  }
}

const kubernetesSettings = (): Readonly<Record<string, string>> =>
  (readManifest('config.yaml') as { data: Record<string, string> }).data

const { one, two } = composeServices()
const { terminationGracePeriodSeconds } = (readManifest('deployment.yaml') as Deployment).spec.template.spec

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

const secrets = namedSettings.filter(([, { secret }]) => secret).map(([, { variable }]) => variable)

it('every setting that looks like a secret is marked as one', () => {
  const alike = /_(?:KEYS|SECRET|PRIVATE_KEY|CREDENTIALS_FILE|KEY_FILE|DATABASE_URL|REDIS_URL|SMTP_URL)$/
  const variables = namedSettings.map(([, { variable }]) => variable)
  expect(variables.filter((variable) => alike.test(variable))).toEqual(secrets)
})

it('every secret is in a Secret of Kubernetes, and none is in another file', () => {
  const { volumes, containers } = (readManifest('deployment.yaml') as Deployment).spec.template.spec
  const [{ envFrom, volumeMounts } = { envFrom: [], volumeMounts: [] }] = containers
  expect(envFrom).toContainEqual({ secretRef: { name: 'countersign' } })
  expect(volumes.map(({ name }) => name)).toEqual(volumeMounts.map(({ name }) => name))
  expect(volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/etc/countersign'])
  expect(volumes[0]).toMatchObject({ secret: { secretName: 'countersign-files', optional: true } })
  const page = readText('docs', 'operations', 'deploying.md')
  for (const variable of secrets) {
    expect(page).toMatch(new RegExp(`^\\| \`countersign(?:-files)?\` .*\`${variable}\``, 'm'))
    expect(kubernetesSettings()).not.toHaveProperty(variable)
    expect(one?.environment).not.toHaveProperty(variable)
  }
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
  expect(asked.toSorted()).toEqual(['/health', '/health/live', '/health/live', '/health/live', '/health/live', '/health/ready'])
  expect(asked.filter((path) => !paths.has(path))).toEqual([])
})

it('HAProxy hides /internal and asks the servers of Compose', () => {
  const config = readText('deploy', 'haproxy', 'haproxy.cfg')
  expect(config).toContain('path,url_dec -m beg -i /internal')
  const servers = [...config.matchAll(/^ {2}server (\w+) (\w+):(\d+)$/gm)].map(([, name, host, port]) => [name, host, port])
  expect(servers).toEqual([
    ['one', 'one', '4000'],
    ['two', 'two', '4000'],
    ['one', 'one', '4000'],
    ['two', 'two', '4000'],
  ])
})
