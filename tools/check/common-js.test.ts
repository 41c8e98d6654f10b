import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkCommonJs, requirableEntries } from './common-js.ts'
import { layOutProject } from './empty-project.ts'

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** Checks a package of ES modules that has one module, with this source. */
const checkSource = async (source: string) => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-common-js-'))
  directories.push(directory)
  const unpacked = join(directory, 'unpacked')
  mkdirSync(unpacked)
  const exports = { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' }
  writeFileSync(join(unpacked, 'package.json'), JSON.stringify({ name: 'tried', type: 'module', exports }))
  writeFileSync(join(unpacked, 'index.js'), source)
  writeFileSync(join(unpacked, 'index.d.ts'), 'export declare const answer: number\n')
  const packages = [{ name: 'tried', directory: unpacked, source: unpacked }]
  return checkCommonJs(layOutProject(directory, packages), packages)
}

describe('the check of require()', () => {
  it('succeeds for a package of ES modules', async () => {
    expect(await checkSource('export const answer = 1\n')).toMatchObject({ ok: true })
  })

  it('fails for a package with a top-level await, which Node cannot load by require()', async () => {
    const { ok, output } = await checkSource('export const answer = await 1\n')
    expect(ok).toBe(false)
    expect(output).toContain('ERR_REQUIRE_ASYNC_MODULE')
  })

  it('fails for an error class whose name is not the name of its export', async () => {
    const source = 'const Shown = class _Shown extends Error {}\nexport { Shown }\nexport const answer = 1\n'
    const { ok, output } = await checkSource(source)
    expect(ok).toBe(false)
    expect(output).toContain('tried exports Shown as _Shown')
  })

  it('covers every entry of a package except its manifest', () => {
    const exports = { '.': './a.js', './storage': './b.js', './package.json': './package.json' }
    expect(requirableEntries({ name: '@countersign/core', exports })).toEqual(['@countersign/core', '@countersign/core/storage'])
  })
})
