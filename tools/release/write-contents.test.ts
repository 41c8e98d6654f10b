import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { capture } from '../capture.ts'
import { repository } from '../workspace.ts'
import { builtIn, withoutTools, writeBillOfMaterials, writeChecksums } from './write-contents.ts'

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-contents-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

// Uses the command of the last build: `npm run build` creates it.
it('the bill of materials names the dependencies of packages and the libraries built into them, with licenses, and no tools', async () => {
  const file = join(aFolder(), 'countersign.cdx.json')
  expect(await writeBillOfMaterials(capture, repository, file)).toMatchObject({ ok: true })
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8'))
  const purls = (components as readonly { purl: string; licenses?: object }[]).map(({ purl }) => purl)
  expect(bomFormat).toBe('CycloneDX')
  for (const name of ['better-sqlite3', 'hono', 'kysely', 'preact', 'commander', 'jsonc-parser', '%40node-rs/argon2'])
    expect(purls).toContainEqual(expect.stringMatching(`^pkg:npm/${name}@\\d`))
  for (const name of ['vitest', 'typescript', 'tsup', 'playwright-core']) expect(purls.join('\n')).not.toContain(`/${name}@`)
  expect(components).toContainEqual(expect.objectContaining({ name: 'hono', licenses: [{ license: { id: 'MIT' } }] }))
}, 60_000)

it('the bill of materials is refused if it lacks a library that is built into the command', () => {
  const bom = (...names: readonly string[]) => ({
    metadata: { component: { name: 'root', version: '1', 'bom-ref': 'root' } },
    components: names.map((name) => ({ name, version: '1', 'bom-ref': name })),
    dependencies: [{ ref: 'root', dependsOn: names }, ...names.map((ref) => ({ ref }))],
  })
  const libraries = builtIn(
    `These libraries\n\n${'-'.repeat(80)}\n\nkept 1\n\nMIT\n\n${'-'.repeat(80)}\n\n@a/b 2.0.0-rc.1\n\nMIT\n`,
  )
  expect(libraries).toEqual(['kept@1', '@a/b@2.0.0-rc.1'])
  const made = withoutTools(bom('needed', 'kept', 'tool'), bom('needed'), ['kept@1'])
  expect(made.components.map(({ name }) => name)).toEqual(['needed', 'kept'])
  expect(made.dependencies).toEqual([
    { ref: 'root', dependsOn: ['needed', 'kept'] },
    { ref: 'needed', dependsOn: [] },
    { ref: 'kept', dependsOn: [] },
  ])
  expect(() => withoutTools(bom('needed'), bom('needed'), libraries)).toThrow('lacks kept@1, @a/b@2.0.0-rc.1')
})

it('the checksums are read by sha256sum, which finds a changed file', () => {
  const folder = aFolder()
  mkdirSync(join(folder, 'below'))
  for (const file of ['a.tgz', 'below/b c.json']) writeFileSync(join(folder, file), file)
  for (const _ of ['first', 'again']) writeChecksums(folder)
  const check = () =>
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  expect(check()).toBe('a.tgz: OK\nbelow/b c.json: OK\n')
  writeFileSync(join(folder, 'a.tgz'), 'changed')
  expect(check).toThrow('1 computed checksum did NOT match')
})
