/** A span for each request, in the OpenTelemetry of the application. */
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { RequestReport } from '../../../src/index.ts'

const tracer = trace.getTracer('site-api')

export function onRequest({ method, route, path, status, ms, user }: RequestReport): void {
  const attributes = { 'http.request.method': method, 'url.path': path, 'http.response.status_code': status }
  const startTime = Date.now() - ms
  const span = tracer.startSpan(`${method} ${route ?? ''}`.trim(), { kind: SpanKind.SERVER, startTime, attributes })
  if (route !== undefined) span.setAttribute('http.route', route)
  if (user !== null) span.setAttribute('user.id', String(user))
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
