import type { ObservedStatement } from '@countersign/core'
import {
  type Attributes,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { readVersion } from '../config/version.ts'
import type { RequestHeaders } from '../http/http-request.ts'
import { knownMethod, type RequestFacts } from '../http/request-log.ts'
import type { TracedRequest, Tracing } from './tracing.ts'

const NAME = '@countersign/server'

const getter: TextMapGetter<RequestHeaders> = {
  // Propagators read headers by their known names, so the list of names is not needed.
  keys: () => [],
  get: (headers, name) => headers.get(name) ?? undefined,
}

/** Returns who called, in the names of the semantic conventions where those have one. */
const callerAttributes = ({ userId, deviceId, service, address }: RequestFacts): Attributes => ({
  ...(userId !== undefined && { 'user.id': String(userId) }),
  ...(deviceId !== undefined && { 'countersign.device_id': deviceId }),
  ...(service !== undefined && { 'countersign.service': service }),
  ...(address !== undefined && { 'client.address': address }),
})

const noteTrace = (facts: RequestFacts, span: Span): void => {
  const { traceId, spanId, ...spanContext } = span.spanContext()
  if (!isSpanContextValid({ traceId, spanId, ...spanContext })) return
  facts.traceId = traceId
  facts.spanId = spanId
}

/** Returns the first table of a statement, for the name of its span. */
const tableOf = (text: string): string | undefined => /\b(?:from|into|update|join)\s+(?:"?\w+"?\.)?"?(\w+)"?/i.exec(text)?.[1]

const statementSpan = ({ system, text, error }: ObservedStatement) => {
  const operation = /^\w+/.exec(text)?.[0].toUpperCase() ?? 'STATEMENT'
  const table = tableOf(text)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const attributes: Attributes = {
    'db.system.name': system,
    'db.operation.name': operation,
    'db.query.text': text,
    ...(table !== undefined && { 'db.collection.name': table }),
    ...(error !== undefined && { 'error.type': code ?? (error instanceof Error ? error.name : 'unknown') }),
  }
  return { name: table === undefined ? operation : `${operation} ${table}`, attributes }
}

/**
 * Makes spans of requests and statements by the OpenTelemetry API. A request continues the trace of the host's own span, or else of
 * its header `traceparent`. A span has the template of the route and ids, but no path, header, body or value. A statement outside
 * of a request makes no span.
 */
export const createTracing = (tracer: Tracer = trace.getTracer(NAME, readVersion())): Tracing => ({
  request: ({ method, headers, route, requestId, facts }: TracedRequest, answer) => {
    const around = context.active()
    const isInside = trace.getSpan(around) !== undefined
    const parent = isInside ? around : propagation.extract(around, headers, getter)
    const options = {
      kind: isInside ? SpanKind.INTERNAL : SpanKind.SERVER,
      attributes: {
        // The name that the semantic conventions have for other methods.
        'http.request.method': knownMethod(method) === method ? method : '_OTHER',
        'http.route': route.path,
        'countersign.operation': route.name,
        'countersign.request_id': requestId,
      },
    }
    return tracer.startActiveSpan(route.name, options, parent, async (span) => {
      noteTrace(facts, span)
      try {
        const response = await answer()
        const { status } = response
        span.setAttributes({ 'http.response.status_code': status, ...callerAttributes(facts) })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        return response
      } finally {
        span.end()
      }
    })
  },
  statement: (statement) => {
    if (trace.getActiveSpan() === undefined) return
    const { name, attributes } = statementSpan(statement)
    const endTime = performance.timeOrigin + performance.now()
    const startTime = endTime - statement.milliseconds
    const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes })
    if (statement.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  },
})

/** Returns the tracing of the process, if a host has installed an OpenTelemetry SDK before; `undefined` otherwise. */
export const installedTracing = (): Tracing | undefined => {
  const provider = trace.getTracerProvider()
  const isInstalled = 'getDelegateTracer' in provider ? hasDelegate(provider) : true
  return isInstalled ? createTracing() : undefined
}

/** The API's own provider passes calls on to the provider of the SDK, and returns no tracer if there is none. */
const hasDelegate = (provider: object): boolean =>
  (provider as { readonly getDelegateTracer: (name: string) => Tracer | undefined }).getDelegateTracer(NAME) !== undefined
