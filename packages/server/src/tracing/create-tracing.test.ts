import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createNodeHandler } from '../adapters/node/handler.ts'
import { listen } from '../adapters/node/listen.ts'
import { createAppPipeline } from '../app.ts'
import { signIn, signInWithDevice } from '../testing/sign-in.ts'
import { createTestApp } from '../testing/test-app.ts'
import { createTracing, installedTracing } from './create-tracing.ts'

const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })

it('without an SDK there is no tracing', () => {
  expect(installedTracing()).toBeUndefined()
})

describe('with an SDK', () => {
  beforeAll(() => provider.register())
  afterAll(async () => {
    trace.disable()
    context.disable()
    await provider.shutdown()
  })
  beforeEach(() => exporter.reset())

  const given = () => createTestApp({ app: { tracing: createTracing() } })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const spanId = '00f067aa0ba902b7'
  const traceparent = `00-${traceId}-${spanId}-01`
  const lastSpan = (): ReadableSpan => exporter.getFinishedSpans().at(-1) as ReadableSpan

  it('the tracing finds the SDK of the host', () => {
    expect(installedTracing()).toBeDefined()
  })

  it('a request is a span that continues the trace of `traceparent`', async () => {
    const test = await given()
    const { token, user } = await signIn(test)
    const answer = await test.call('devices.list', {}, { token, headers: { traceparent, 'x-request-id': 'r-1' } })
    const span = lastSpan()
    expect(span).toMatchObject({ name: 'devices.list', kind: 1, parentSpanContext: { traceId, spanId } })
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/auth/devices',
      'http.response.status_code': 200,
      'countersign.operation': 'devices.list',
      'countersign.request_id': 'r-1',
      'user.id': String(user.id),
    })
    expect(answer.headers.get('x-request-id')).toBe('r-1')
    expect(test.logger.entries.at(-1)?.fields).toMatchObject({ traceId, spanId: span.spanContext().spanId })
  })

  it('a request without `traceparent` begins a trace', async () => {
    await (await given()).call('health.check')
    expect(lastSpan().parentSpanContext).toBeUndefined()
  })

  it('a span of the host is the parent, also if `traceparent` names another span', async () => {
    const test = await given()
    await provider.getTracer('host').startActiveSpan('host', async (host) => {
      await test.call('health.check', {}, { headers: { traceparent } })
      expect(lastSpan()).toMatchObject({ kind: 0, parentSpanContext: { spanId: host.spanContext().spanId } })
      host.end()
    })
  })

  it('a span has the template of the route, and nothing else that the client sent', async () => {
    const test = await given()
    const { token, deviceToken, device } = await signInWithDevice(test)
    await test.call('confirmations.status', { confirmationId: 'secret-id' }, { token })
    await test.send('PURGE', '/secret-path?secret', { headers: { 'x-secret': 'secret' } })
    await test.call('confirmations.pending', {}, { token: deviceToken })
    expect(lastSpan().attributes).toMatchObject({ 'countersign.device_id': device.id })
    const spans = exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
    expect(JSON.stringify(spans)).not.toContain('secret')
    expect(spans.at(-2)?.attributes).toMatchObject({ 'http.request.method': '_OTHER', 'http.response.status_code': 404 })
  })

  it('the span of a fault has the status error, and the span of a refusal has not', async () => {
    const test = await createTestApp({
      app: {
        tracing: createTracing(),
        checkOutput: () => {
          throw new Error('secret')
        },
      },
    })
    await test.send('GET', '/health')
    expect(lastSpan()).toMatchObject({ status: { code: 2 }, events: [] })
    await test.send('GET', '/nothing')
    expect(lastSpan().status.code).toBe(0)
  })

  it('a statement is a child span with its duration, without values', () => {
    const tracing = createTracing()
    provider.getTracer('host').startActiveSpan('host', (host) => {
      tracing.statement({ system: 'postgresql', text: 'select * from "countersign"."users" where id = $1', milliseconds: 40 })
      const span = lastSpan()
      expect(span).toMatchObject({ name: 'SELECT users', kind: 2, parentSpanContext: { spanId: host.spanContext().spanId } })
      expect(span.attributes).toEqual({
        'db.system.name': 'postgresql',
        'db.operation.name': 'SELECT',
        'db.collection.name': 'users',
        'db.query.text': 'select * from "countersign"."users" where id = $1',
      })
      expect(span.duration[0] * 1000 + span.duration[1] / 1e6).toBeCloseTo(40, 0)
      tracing.statement({
        system: 'sqlite',
        text: 'commit',
        milliseconds: 1,
        error: Object.assign(new Error('secret'), { code: 'SQLITE_FULL' }),
      })
      expect(lastSpan()).toMatchObject({ name: 'COMMIT', status: { code: 2 }, attributes: { 'error.type': 'SQLITE_FULL' } })
      host.end()
    })
  })

  it('a statement outside of a request makes no span', () => {
    createTracing().statement({ system: 'sqlite', text: 'select 1', milliseconds: 1 })
    expect(exporter.getFinishedSpans()).toEqual([])
  })

  it('concurrent requests on a real server have spans in separate traces', async () => {
    const test = await createTestApp()
    const pipeline = createAppPipeline(test.countersign, { version: '1', logger: test.logger, tracing: createTracing() })
    const { url, close } = await listen(createNodeHandler(pipeline, test.logger, { inBatches: false }), {
      host: '127.0.0.1',
      port: 0,
    })
    const ids = Array.from({ length: 8 }, (_, index) => `${index + 1}`.padStart(32, 'a'))
    await Promise.all(ids.map((id) => fetch(`${url}/health`, { headers: { traceparent: `00-${id}-${spanId}-01` } })))
    await close(1000)
    expect(new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId))).toEqual(new Set(ids))
  })
})
