/** A span for each request, in the OpenTelemetry of the application: `onRequest: tracing(trace.getTracer('site-api'))`. */
import type { RequestReport } from 'site-api'

/** The part of `Tracer` of @opentelemetry/api that is used. */
interface Tracer {
  startSpan(
    name: string,
    options: { kind: number; startTime: number; attributes: { [name: string]: string | number } },
  ): {
    setStatus(status: { code: number }): unknown
    end(): void
  }
}

// SpanKind.SERVER and SpanStatusCode.ERROR.
const [server, failed] = [1, 2]

export const tracing = (tracer: Tracer) => (report: RequestReport) => {
  const { method, path, route = '', status, ms, user } = report
  const request = { 'http.request.method': method, 'url.path': path, 'http.route': route }
  const attributes = { ...request, 'http.response.status_code': status, 'user.id': user ?? '' }
  const startTime = Date.now() - ms
  const span = tracer.startSpan(`${method} ${route}`.trim(), { kind: server, startTime, attributes })
  if (status >= 500) span.setStatus({ code: failed })
  span.end()
}
