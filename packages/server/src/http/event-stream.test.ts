import { describe, expect, it, vi } from 'vitest'
import { EventStream } from './event-stream.ts'

const target = (write = vi.fn<(text: string) => boolean>(() => true)) => ({ write, end: vi.fn<() => void>() })

describe('an event stream', () => {
  it('buffers early pieces, and an early end, until the platform is ready', () => {
    const stream = new EventStream()
    stream.send('a')
    stream.send('b')
    stream.end()
    const { write, end } = target()
    stream.attach({ write, end })
    expect(write.mock.calls).toEqual([['ab']])
    expect(end).toHaveBeenCalledOnce()
  })

  it('disconnects a client that reads so slowly that pieces accumulate', () => {
    const stream = new EventStream()
    const left = vi.fn<() => void>()
    stream.onLeave(left)
    const { write, end } = target(vi.fn<() => boolean>(() => false))
    stream.attach({ write, end })
    expect(left).not.toHaveBeenCalled()
    stream.send('a')
    stream.send('b')
    expect(left).toHaveBeenCalledOnce()
    expect(end).toHaveBeenCalledOnce()
    expect(write.mock.calls).toEqual([['a']])
  })

  it('reports once that its client has gone, also if the client left before the stream began', () => {
    const stream = new EventStream()
    stream.leave()
    const left = vi.fn<() => void>()
    stream.onLeave(left)
    stream.leave()
    expect(left).toHaveBeenCalledOnce()
  })
})
