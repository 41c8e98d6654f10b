import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '@countersign/contract/openapi'
import { expect, test } from 'vitest'
import { readVersion } from '../shared/version.ts'
import { workplaceOfFile } from '../testing/workplace-of-file.ts'

const here = workplaceOfFile()

const document = JSON.parse(JSON.stringify(openApiDocument({ version: readVersion() }))) as unknown

test('the document is printed with line breaks for people, and on one line for programs', async () => {
  expect(await here.json(['openapi'])).toStrictEqual(document)
  const { stdout } = await here.run(['openapi'])
  expect(JSON.parse(stdout)).toStrictEqual(document)
  expect(stdout.split('\n').length).toBeGreaterThan(1000)
})

test('the command needs no database and no settings', async () => {
  const { code, stderr } = await here.run(['openapi'], { env: { COUNTERSIGN_DATABASE_URL: 'nonsense' } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('docs/openapi.json is current: npm run -s countersign -- openapi > docs/openapi.json', () => {
  const kept = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')) as {
    readonly info: { readonly version: string }
  }
  expect(kept).toStrictEqual(JSON.parse(JSON.stringify(openApiDocument({ version: kept.info.version }))))
})
