/** Measures the cost of a sign-in, and what its time discloses. */
import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../../../bench/statistics.ts'
import {
  defaultPasswordCost,
  digestOf,
  digestOfPassword,
  isPasswordOf,
  sameDigest,
} from '../../../src/core/runtime/crypto.ts'
import { full } from '../../../src/profiles/full.ts'
import { sqliteStorage } from '../../../src/storage/sqlite.ts'
import { baseUrl, createTestSite } from '../../support/site.ts'
import { passwordOf } from '../../support/small-site.ts'
import type { Row } from '../row.ts'

const longestCheckMs = 1

const applicationPassword: Row = {
  name: 'sign-in-check',
  what: 'the check of an application password',
  bound: `median below ${longestCheckMs} ms`,
  size: { short: 5000, long: 50_000, unit: 'checks' },
  run: async (checks) => {
    const secret = passwordOf('ada')
    const stored = digestOf(secret)
    const times: number[] = []
    for (let at = 0; at < checks; at++) {
      const started = performance.now()
      sameDigest(digestOf(secret), stored)
      times.push(performance.now() - started)
    }
    return { figure: `${median(times).toFixed(4)} ms`, isMet: median(times) < longestCheckMs }
  },
}

const human = { shortestMs: 50, longestMs: 200, longestTurnMs: 20 } as const

const password: Row = {
  name: 'sign-in-password',
  what: 'the check of a password of a person, and what the event loop waits for it',
  bound: `${human.shortestMs} to ${human.longestMs} ms; no turn of the loop above ${human.longestTurnMs} ms`,
  size: { short: 10, long: 100, unit: 'checks' },
  run: async (checks) => {
    const digest = await digestOfPassword('correct horse', defaultPasswordCost)
    const times: number[] = []
    const turns: number[] = []
    let isRunning = true
    const watching = (async () => {
      for (let before = performance.now(); isRunning; ) {
        await pause(1)
        const now = performance.now()
        turns.push(now - before)
        before = now
      }
    })()
    for (let at = 0; at < checks; at++) {
      const started = performance.now()
      await isPasswordOf('wrong horse', digest, defaultPasswordCost)
      times.push(performance.now() - started)
    }
    isRunning = false
    await watching
    const took = median(times)
    const longest = Math.max(...turns)
    const isMet = took >= human.shortestMs && took <= human.longestMs && longest <= human.longestTurnMs
    return { figure: `median ${took.toFixed(0)} ms, longest turn ${longest.toFixed(1)} ms`, isMet }
  },
}

const greatestDifference = 0.1

/** Passwords of the same length that are wrong in different ways. */
const right = passwordOf('edith')
const kinds: readonly (readonly [kind: string, login: string, secret: string])[] = [
  ['an unknown login', 'nobody', right],
  ['a wrong secret', 'edith', passwordOf('zoe')],
  ['wrong in the first character', 'edith', `Z${right.slice(1)}`],
  ['wrong in the last character', 'edith', `${right.slice(0, -1)}Z`],
  ['wrong in the case', 'edith', right.toUpperCase()],
  ['no application password', 'norbert', right],
]

const equalWork: Row = {
  name: 'sign-in-equal',
  what: 'failed sign-ins: unknown login, login without a password, secrets wrong at the start, at the end, in the case',
  bound: `medians within ${greatestDifference * 100} %`,
  size: { short: 500, long: 5000, unit: 'sign-ins of each kind' },
  run: async (samples, say) => {
    const file = sqliteStorage(':memory:')
    await file.open?.()
    const site = await createTestSite({ profile: full, storage: () => file, limit: () => 0 })
    const { status } = await site.as('ada')('POST', '/cms/v2/users', {
      body: { username: 'norbert', email: 'norbert@example.test', password: 'some words of his' },
    })
    if (status !== 201) throw new Error(`the user was answered with ${status}`)
    const times = kinds.map((): number[] => [])
    for (let at = -100; at < samples; at++) {
      for (const [index, [, login, secret]] of kinds.entries()) {
        const authorization = `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`
        const request = new Request(`${baseUrl}/api/cms/v2/posts/1`, { headers: { authorization } })
        const started = performance.now()
        const response = await site.api.fetch(request)
        const took = performance.now() - started
        if (response.status !== 401) throw new Error(`answered with ${response.status}`)
        // The first ones are slower.
        if (at >= 0) times[index]?.push(took)
      }
    }
    await site.dispose()
    await file.close?.()
    const medians = times.map(median)
    for (const [index, [kind]] of kinds.entries()) say(`${kind}: ${medians[index]?.toFixed(4)} ms`)
    const difference = Math.max(...medians) / Math.min(...medians) - 1
    return { figure: `medians within ${(difference * 100).toFixed(1)} %`, isMet: difference <= greatestDifference }
  },
}

export const signInRows: readonly Row[] = [applicationPassword, password, equalWork]
