import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { listen } from './listen.ts'

const REQUESTS = 40

/** Connects at the first input, and writes the status or the error of each request as a line of JSON. */
const CLIENT = String.raw`
  const { connect } = require('node:net')
  process.stdin.once('data', async () => {
    const one = () => new Promise((resolve) => {
      let text = ''
      const socket = connect(Number(process.argv[1]), '127.0.0.1', () => socket.write('POST / HTTP/1.0\r\n\r\n'))
      socket.setEncoding('utf8').on('data', (part) => { text += part })
      socket.on('error', (error) => resolve(error.code))
      socket.on('close', () => resolve(text.slice(0, 12)))
    })
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${REQUESTS} }, one))))
    process.stdin.destroy()
  })
  console.log('ready')`

it('a closing server answers requests on connections that were waiting while the process was busy', async () => {
  const { port, close } = await listen((_incoming, outgoing) => outgoing.end('done'), { host: '127.0.0.1', port: 0 })
  const client = spawn(process.execPath, ['-e', CLIENT, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(client.stdout, 'data')
  const outcomes = once(client.stdout.setEncoding('utf8'), 'data')
  client.stdin.write('connect')
  await new Promise((resolve) => setImmediate(resolve))
  // The process does nothing else meanwhile, so all connections wait in the queue of the operating system.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  await close(5000)
  const [text] = (await outcomes) as [string]
  expect(JSON.parse(text)).toEqual(Array.from({ length: REQUESTS }, () => 'HTTP/1.1 200'))
})
