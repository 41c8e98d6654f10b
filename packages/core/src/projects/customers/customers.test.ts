import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { clockStart } from '../../testing/fake-clock.ts'

describe('customers', () => {
  it('are created with a name and a normalised email', async () => {
    const { customers } = (await createTestCountersign()).countersign
    expect(await customers.create({ name: 'Mühlen & Söhne', email: 'Mills@Example.test' })).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Mühlen & Söhne',
      email: 'mills@example.test',
      createdAt: clockStart,
    })
  })

  it('are listed, oldest first, over several pages', async () => {
    const { countersign, clock } = await createTestCountersign()
    const created: string[] = []
    for (let count = 0; count < 501; count += 1) {
      clock.advance(1)
      created.push((await countersign.customers.create({ name: `Mill ${count}`, email: 'mill@example.test' })).id)
    }
    const listed: string[] = []
    for await (const { id } of countersign.customers.list()) listed.push(id)
    expect(listed).toStrictEqual(created)
  })

  it.each([
    [{ name: '', email: 'mill@example.test' }, 'name'],
    [{ name: 'x'.repeat(256), email: 'mill@example.test' }, 'name'],
    [{ name: 'a\nb', email: 'mill@example.test' }, 'name'],
    [{ name: 'Mill', email: 'mill' }, 'email'],
    [{ name: 'Mill', email: 'a@b.test, c@d.test' }, 'email'],
  ])('are refused with %j', async (input, field) => {
    const refusal = await (await createTestCountersign()).countersign.customers.create(input).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Invalid)
    expect(Object.keys((refusal as Invalid).fields)).toStrictEqual([field])
  })
})
