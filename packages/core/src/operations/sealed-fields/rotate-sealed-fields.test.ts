import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sealField } from '../../shared/crypto/field-encryption.ts'
import type { DataSnapshot } from '../../shared/data-moves/snapshot.ts'
import { systemRandom } from '../../shared/random.ts'
import { aKeyRing } from '../../testing/test-keys.ts'
import { rotateSealedFields } from './rotate-sealed-fields.ts'

it('a rotation fails with the error of a write, after every other write has ended', async () => {
  const [older, current] = [aKeyRing(), aKeyRing()]
  const ring = { ...current, secrets: new Map([...current.secrets, ...older.secrets]) }
  const sealed = ['1', '2', '3'].map((row) => ({
    id: row,
    texts: [sealField(older, systemRandom, { table: 'devices', column: 'push_token', row }, 'token')],
  }))
  const rows = [{ id: 'a device without a push token', texts: [null] }, ...sealed]
  let ended = 0
  const failing = {
    // Counts rows only, for the progress.
    snapshot: <T>(work: (snapshot: DataSnapshot) => Promise<T>) => work({ countRows: async () => 0 } as unknown as DataSnapshot),
    sealedTexts: {
      rowsAfter: async ({ table }: { readonly table: string }) => (table === 'devices' ? rows : []),
      replace: async (_: string, id: string) => {
        if (id === '1') throw new Error('the disk is full')
        await setTimeout(5)
        ended += 1
        return true
      },
    },
  }
  await expect(rotateSealedFields(failing, ring, systemRandom)).rejects.toThrow('the disk is full')
  expect(ended).toBe(2)
})
