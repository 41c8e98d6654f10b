import { expect, test } from 'vitest'
import { whyNotLoaded } from './optional-packages.ts'
import { StartupError } from './startup-error.ts'

const missing = (name: string): Promise<unknown> => import(/* @vite-ignore */ name).catch((error: unknown) => error)

test('a missing package is named with the command that installs it', async () => {
  const why = whyNotLoaded('@countersign/storage-nowhere', await missing('@countersign/storage-nowhere'))
  expect(why).toBeInstanceOf(StartupError)
  expect(why).toMatchObject({
    message: 'the package @countersign/storage-nowhere is not installed: `npm install @countersign/storage-nowhere`',
  })
})

test('another failure of an import is passed on unchanged', async () => {
  const inside = await missing('a-package-inside')
  expect(whyNotLoaded('@countersign/storage-nowhere', inside)).toBe(inside)
  const broken = new SyntaxError('broken')
  expect(whyNotLoaded('@countersign/storage-nowhere', broken)).toBe(broken)
})
