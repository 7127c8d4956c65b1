/** The durations of requests in a histogram of Prometheus: `onRequest: measuring(histogram)`. */
import type { RequestReport } from 'site-api'

/** The part of `Histogram` of prom-client that is used, with the labels method, route and status. */
interface Histogram {
  labels(...values: string[]): { observe(seconds: number): void }
}

export const measuring =
  (histogram: Histogram) =>
  ({ method, route = 'none', status, ms }: RequestReport) =>
    histogram.labels(method, route, String(status)).observe(ms / 1000)
