import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readPassword } from './read-password.ts'

const piped = (content: string | Uint8Array) =>
  readPassword({ stdin: Readable.from([Buffer.from(content)]), stderr: new PassThrough() })

test.each([
  ['correct horse\n', 'correct horse'],
  ['correct horse\r\n', 'correct horse'],
  ['correct horse', 'correct horse'],
  ['  two lines \n and a blank one \n\n', '  two lines \n and a blank one \n'],
  ['\uFEFFpässwörter', '\uFEFFpässwörter'],
  ['', ''],
])('reading %j from a pipe removes only one line break, at the end', async (content, password) => {
  expect(await piped(content)).toBe(password)
})

test('a password that arrives in several chunks is read whole, even when a chunk ends inside a character', async () => {
  const [head, tail] = [Buffer.from('pässwort').subarray(0, 2), Buffer.from('pässwort').subarray(2)]
  expect(await readPassword({ stdin: Readable.from([head, tail]), stderr: new PassThrough() })).toBe('pässwort')
})

test('a password that is not UTF-8 is refused', async () => {
  await expect(piped(Uint8Array.of(0x70, 0xff))).rejects.toThrow('not UTF-8')
})

test('reading stops early if the file is far too large for a password', async () => {
  let read = 0
  const endless = new Readable({
    read() {
      read += 1
      this.push(Buffer.alloc(4096, 'a'))
    },
  })
  await expect(readPassword({ stdin: endless, stderr: new PassThrough() })).rejects.toThrow('more than a password')
  expect(read).toBeLessThan(50)
})

/** Types the given lines on a terminal, each after a prompt. Returns what the terminal showed. */
const typed = async (...lines: readonly string[]) => {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
  const prompts = new PassThrough()
  let shown = ''
  const rest = [...lines]
  prompts.on('data', (chunk: Buffer) => {
    shown += chunk.toString()
    const line = chunk.toString().endsWith(': ') ? rest.shift() : undefined
    if (line !== undefined) setImmediate(() => input.write(line))
  })
  const outcome = await readPassword({ stdin: input, stderr: prompts }).catch((error: Error) => error.message)
  return { outcome, shown }
}

test('on a terminal the password is asked for twice and never shown', async () => {
  expect(await typed('correct horse\r', 'correct horse\r')).toEqual({ outcome: 'correct horse', shown: 'Password: \nAgain: \n' })
})

test('two passwords that differ are refused', async () => {
  expect(await typed('correct horse\r', 'correct house\r')).toMatchObject({ outcome: 'the two passwords differ' })
})

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at the prompt cancels the command', async (_name, key) => {
  expect(await typed(key)).toMatchObject({ outcome: 'no password was given' })
})
