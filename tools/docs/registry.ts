import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { publicPackages, repository } from '../workspace.ts'

/**
 * A package registry on the loopback address that knows as much of the protocol as `npm install` needs. It calls no other
 * server.
 */
export interface Registry {
  readonly url: string
  /** A cache folder for npm, so that each package is fetched once. */
  readonly cache: string
}

interface Published {
  readonly manifest: { readonly name: string; readonly version: string }
  /** The archive of the package, as in a registry. */
  readonly tarball: () => Buffer
}

const readPublished = (text: string): Published['manifest'] => JSON.parse(text) as Published['manifest']

/**
 * Archives a copy of an installed package. The store of pnpm contains hard links, which an archive would keep and npm
 * refuses. The archive is not compressed, because compressing takes longest.
 */
const pack = (path: string): Buffer => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-pack-'))
  try {
    cpSync(path, join(directory, 'package'), { recursive: true })
    return execFileSync('tar', ['-cf', '-', '-C', directory, 'package'], { maxBuffer: 2 ** 30 })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Reads a package in the pnpm store of this repository. */
const installed = (path: string): Published => {
  return {
    manifest: readPublished(readFileSync(join(path, 'package.json'), 'utf8')),
    tarball: () => pack(path),
  }
}

const store = join(repository, 'node_modules', '.pnpm')

/** Returns every version of a package that the repository has installed. */
const findInstalled = (name: string): readonly Published[] => {
  const folder = `${name.replace('/', '+')}@`
  return readdirSync(store)
    .filter((entry) => entry.startsWith(folder))
    .map((entry) => installed(join(store, entry, 'node_modules', name)))
}

const packed = (file: string): Published => ({
  manifest: readPublished(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })),
  tarball: () => readFileSync(file),
})

/** Packs all public packages as for a release. */
const packOurs = async (directory: string): Promise<readonly Published[]> => {
  const [command, ...args] = pnpm
  const names = publicPackages().flatMap(({ name }) => ['--filter', name])
  const { ok, output } = await capture(command, [...args, ...names, 'pack', '--pack-destination', directory], repository)
  if (!ok) throw new Error(output)
  return readdirSync(directory).map((file) => packed(join(directory, file)))
}

const answer = (response: ServerResponse, status: number, body: Buffer | string): void => {
  // Packages here never change, so npm may cache them.
  response.writeHead(status, { 'cache-control': 'max-age=3600, immutable' }).end(body)
}

/** Starts the registry, which serves until this process ends. */
export const startRegistry = async (): Promise<Registry> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-registry-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const ours = await packOurs(join(directory, 'packed'))
  const find = (name: string): readonly Published[] => {
    const own = ours.filter(({ manifest }) => manifest.name === name)
    return own.length > 0 ? own : findInstalled(name)
  }

  const server = createServer((request, response) => {
    const [path = '', version] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const found = find(path)
    if (version !== undefined) {
      const wanted = found.find(({ manifest }) => manifest.version === version)
      return wanted === undefined ? answer(response, 404, '') : answer(response, 200, wanted.tarball())
    }
    const latest = found.at(-1)
    if (latest === undefined) return answer(response, 404, '{}')
    const versions = found.map(({ manifest }): [string, object] => {
      const dist = { tarball: `${url}/${encodeURIComponent(path)}/-/${manifest.version}` }
      return [manifest.version, { ...manifest, dist }]
    })
    const tags = { latest: latest.manifest.version }
    return answer(response, 200, JSON.stringify({ name: path, 'dist-tags': tags, versions: Object.fromEntries(versions) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server must not keep the process alive.
  server.unref()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, cache: join(directory, 'cache') }
}
