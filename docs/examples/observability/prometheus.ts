/** The durations of all requests as a histogram of Prometheus. */
import { Histogram, register } from 'prom-client'
import type { RequestReport } from '../../../src/index.ts'

const labelNames = ['method', 'route', 'status'] as const
const durations = new Histogram({ name: 'site_api_request_seconds', help: 'Requests to the site api', labelNames })

export const onRequest = ({ method, route = 'none', status, ms }: RequestReport): void =>
  durations.labels(method, route, String(status)).observe(ms / 1000)

/** The handler of the path that Prometheus reads. */
export const metrics = async () =>
  new Response(await register.metrics(), { headers: { 'Content-Type': register.contentType } })
