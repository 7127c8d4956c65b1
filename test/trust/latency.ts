/** The latencies of requests. */

interface Latencies {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

export function latenciesOf(times: readonly number[]): Latencies {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/** Who reads one post after the other, on one connection, and wants each answered with 200. */
export async function readPlainly(base: string, seconds: number): Promise<Latencies> {
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  for (let at = 0; performance.now() < until; at++) {
    const started = performance.now()
    const response = await fetch(`${base}/cms/v2/posts/${100 + (at % 5000)}?_fields=id,title&context=embed`)
    await response.text()
    if (response.status !== 200 && response.status !== 401)
      throw new Error(`a plain read was answered ${response.status}`)
    times.push(performance.now() - started)
    // As a visitor does, not as fast as it can.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return latenciesOf(times)
}
