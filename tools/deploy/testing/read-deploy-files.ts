import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, type Environment, readConfig } from '@countersign/server'
import { parse } from 'yaml'
import { repository } from '../../workspace.ts'

export const readText = (...path: readonly string[]): string => readFileSync(join(repository, ...path), 'utf8')

/** Returns the paths of the files under `deploy`, and of the Dockerfile, relative to the repository. */
export const deployFiles = (): readonly string[] => [
  'Dockerfile',
  ...readdirSync(join(repository, 'deploy'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(repository.length)),
]

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly stop_grace_period?: string
}

/** Returns the services of the Compose file, with merged anchors. */
export const composeServices = (): Readonly<Record<string, Service>> =>
  (parse(readText('deploy', 'compose', 'compose.yaml'), { merge: true }) as { services: Record<string, Service> }).services

/** Returns the settings of the image, which a container's own settings replace. */
export const imageSettings = (): Environment =>
  Object.fromEntries(
    [...readText('Dockerfile').matchAll(/^(?:ENV| {3}) ([A-Z_]+)=(\S+)/gm)].map(([, name = '', value]) => [name, value]),
  )

/** Returns the values of a setting of a systemd unit that may be repeated. */
export const unitValues = (name: string): readonly string[] =>
  [...readText('deploy', 'systemd', 'countersign.service').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )

export const readManifest = (name: string): unknown => parse(readText('deploy', 'kubernetes', name))

const key = `test:${randomBytes(32).toString('base64url')}`

/** Returns the configuration of a server with these settings and with secrets from elsewhere. */
export const configOf = (settings: Environment): Config =>
  readConfig({ ...settings, COUNTERSIGN_JWT_KEYS: key, COUNTERSIGN_ENCRYPTION_KEYS: key })
