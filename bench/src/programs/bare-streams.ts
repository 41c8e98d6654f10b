import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerCalls } from '../harness/program.ts'

/** Opens event streams on `node:http` alone: the same first event, and a comment every 14 seconds. Resolves with the URL. */
export const program = answerCalls(async () => {
  const streams = new Set<ServerResponse>()
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: read_again\ndata: {}\n\n')
    streams.add(response)
    response.once('close', () => streams.delete(response))
  })
  setInterval(() => {
    for (const stream of streams) stream.write(': \n\n')
  }, 14_000)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
