import { expect, it } from 'vitest'
import { tellApart } from './tell-apart.ts'

it('an item is shown by its name, with the end of its id if another item has the same name', () => {
  const all = [
    { id: '01900000-0000-7000-8000-00000000000a', name: 'My browser' },
    { id: '01900000-0000-7000-8000-00000000000b', name: 'My browser' },
    { id: '01900000-0000-7000-8000-00000000000c', name: 'Phone' },
  ]
  expect(all.map((one) => tellApart(one, all))).toEqual(['My browser (0000000a)', 'My browser (0000000b)', 'Phone'])
})
