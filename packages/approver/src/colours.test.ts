import { expect, it } from 'vitest'
import { contrast, grounds, readable, textOn } from './colours.ts'

it.each(['#000000', '#0a5c36', '#2748c7', '#ffcc00', '#777777', '#d0021b', '#ffffff'])(
  'links in the colour %s of a host can be read on both grounds, and so can the text of its buttons',
  (colour) => {
    for (const ground of Object.values(grounds)) expect(contrast(readable(colour, ground), ground)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(textOn(colour), colour)).toBeGreaterThanOrEqual(4.5)
  },
)

it('a colour that can be read on a ground stays as the host has chosen it', () => {
  expect([readable('#0a5c36', grounds.light), readable('#ffcc00', grounds.dark)]).toEqual(['#0a5c36', '#ffcc00'])
})

it('the contrast of black and white is 21, and of a colour with itself 1', () => {
  expect([contrast('#000000', '#ffffff'), contrast('#2748c7', '#2748c7')]).toEqual([21, 1])
})
