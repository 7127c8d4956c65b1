/** Runs one script of requests through a host and through `fetch`, and compares the responses. */
import { expect, test } from 'vitest'
import { withoutPreviewKeys } from '../support/preview-keys.ts'
import { fetchHost } from './hosts/fetch.ts'
import type { Host, RunningHost } from './hosts/host.ts'
import { length, type Step, writeScript } from './parity/script.ts'

interface Answered {
  readonly asked: string
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** Of the transport: they say how the bytes came, and belong to whoever sends them. */
const ofTransport = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

interface Additions {
  /** Headers that a framework adds by itself. */
  readonly headers?: readonly string[]
  /** Words that it adds to `Vary`. */
  readonly varyWords?: readonly string[]
  /** Requests that it answers or changes before us, and why. */
  readonly answersItself?: readonly { readonly path: RegExp; readonly why: string }[]
}

/** Next's own words in `Vary` tell its pages from their data. */
export const nextAdditions: Additions = {
  headers: ['x-powered-by'],
  varyWords: ['rsc', 'next-router-state-tree', 'next-router-prefetch', 'next-router-segment-prefetch', 'next-url'],
  answersItself: [{ path: /\/\//, why: 'Next redirects to the address with one slash' }],
}

export function holdParity(host: Host, additions: Additions = {}): void {
  test(`${host.name} answers ${length} requests as fetch does`, { timeout: 120_000 }, async () => {
    const script = await writeScript()
    const expected = await answersOf(fetchHost, script)
    const found = await answersOf(host, script)
    const isItsOwn = ({ path }: Step) => additions.answersItself?.some((one) => one.path.test(path))
    const differing = script.flatMap((step, at) => {
      const [ours, theirs] = [expected[at] as Answered, found[at] as Answered]
      const same = JSON.stringify(ours) === JSON.stringify(without(theirs, additions))
      return same || isItsOwn(step) ? [] : [{ ours, theirs: without(theirs, additions) }]
    })
    expect(differing).toEqual([])
    expect(script).toHaveLength(length)
  })
}

async function answersOf(host: Host, script: readonly Step[]): Promise<readonly Answered[]> {
  const running = await host.start({ site: 'd1' })
  try {
    const answers: Answered[] = []
    for (const step of script) answers.push(await answerTo(running, step, answers.at(-1)))
    return answers
  } finally {
    await running.close()
  }
}

async function answerTo(host: RunningHost, step: Step, before: Answered | undefined): Promise<Answered> {
  const { method, path, headers, body, condition } = step
  const conditions = condition === undefined ? {} : { [condition]: before?.headers['etag'] ?? '' }
  const response = await host.fetch(`/api${path}`, {
    ...{ method, redirect: 'manual', headers: { ...headers, ...conditions, 'Accept-Encoding': 'identity' } },
    ...(body === undefined ? {} : { body }),
  })
  const named = [...response.headers].filter(([name]) => !ofTransport.includes(name)).sort()
  return {
    asked: `${method} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`,
    status: response.status,
    headers: Object.fromEntries(named),
    body: withoutPreviewKeys(await response.text()),
  }
}

function without(answer: Answered, { headers = [], varyWords = [] }: Additions): Answered {
  const kept = Object.entries(answer.headers)
    .filter(([name]) => !headers.includes(name))
    .map(([name, value]) => (name === 'vary' ? [name, withoutWords(value, varyWords)] : [name, value]))
  return { ...answer, headers: Object.fromEntries(kept) }
}

const withoutWords = (vary: string, words: readonly string[]) =>
  vary
    .split(/, ?/)
    .filter((word) => !words.includes(word.toLowerCase()))
    .join(', ')
