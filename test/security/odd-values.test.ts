/**
 * Each argument of each route, and each value within each documented body, replaced by names of `Object.prototype` and by objects
 * that can not be converted to a text or a number: no request fails. The gate sends every `ODD_STEP`-th request (default 5, in a full
 * run all): the step shares no factor with the number of values, so that each value is sent to many places.
 */
import { expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { listed } from '../support/assertion-messages.ts'
import { counted } from '../support/counted.ts'
import { isFullRun } from '../support/generated-cases.ts'
import { mutationsOf } from '../support/leaf-mutations.ts'
import { examplesWithRecords, mutationTargets } from '../support/mutation-targets.ts'
import { failuresOf } from '../support/site.ts'
import { routesOf } from './declared-routes.ts'
import { isFailure, openSampleSite } from './sample-site.ts'
import { sampleArguments } from './sample-values.ts'

const step = Number(process.env.ODD_STEP ?? (isFullRun ? 1 : 5))

const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'length', 'prototype']
/** As JSON texts, so that `__proto__` is a member like others. */
const values = [
  ...names.map((name) => `"${name}"`),
  ...['{"toString":1}', '{"toString":"x","valueOf":1}', '{"valueOf":null,"toString":null}', '[{"toString":null}]'],
  ...[
    '{"toJSON":1}',
    '{"length":4294967295}',
    '{"length":-1,"0":1}',
    '{"constructor":1}',
    '{"constructor":{"name":1}}',
  ],
  ...[
    '{"hasOwnProperty":1}',
    '{"__proto__":{"a":1}}',
    '[[[[[[[[{"toString":1}]]]]]]]]',
    '{"a":{"a":{"a":{"toString":{}}}}}',
  ],
]

/** The arguments of reads are texts, or objects with brackets. */
const oddQueries = (name: string): readonly string[] =>
  names.flatMap((odd) => [`${name}=${odd}`, `${name}[]=${odd}`, `${name}[${odd}]=1`, `${name}[0][${odd}]=1`])

/** Each read of the profile with one odd value; its required arguments are right. */
function oddReads(): readonly string[] {
  return routesOf(full)
    .filter(({ method }) => method === 'GET')
    .flatMap((route) => {
      const samples = Object.entries(sampleArguments(route))
      const given = new URLSearchParams(samples.map(([name, value]): [string, string] => [name, String(value)]))
      const inPath = new Set(route.parameters.map(({ name }) => name))
      const path = route.readable.replace('{user_id}', 'me').replace(/\{\w+\}/g, '1')
      const others = Object.keys(route.endpoint.args).filter((name) => !inPath.has(name))
      return others.flatMap(oddQueries).map((query) => `${path}?${given}&${query}`)
    })
}

test('no odd value in an argument of a read makes it fail', { timeout: 600_000 }, async () => {
  const { site, send } = await openSampleSite()
  const failed: string[] = []
  let refused = 0
  const paths = oddReads().filter((_, at) => at % step === 0)
  for (const path of paths) {
    const { status } = await send('GET', path)
    if (status === 400) refused++
    if (isFailure(status)) failed.push(`GET ${path} -> ${status} ${failuresOf(site).at(-1) ?? ''}`)
  }
  await site.dispose()
  counted(paths.length, 'reads with an odd argument')
  counted(failed.length, 'failures')
  expect(failed, listed('These requests failed:', failed)).toEqual([])
  // Most of them are refused by name, and no argument is passed over.
  expect(refused).toBeGreaterThan(1000)
})

test('no odd value in a body makes a write fail', { timeout: 600_000 }, async () => {
  const { site, send } = await openSampleSite()
  const ask = async (...request: Parameters<typeof send>) => {
    const { status, text } = await send(...request)
    return { status, body: JSON.parse(text) }
  }
  const fields = [{ id: 'name', type: 'text', label: 'Name', value: 'M. Aldous' }]
  const form = { postId: site.ids['page.support'] ?? 1, elementId: '476d0ce', formName: 'Write', fields }
  const targets = mutationTargets(ask, {
    '/builder/v1/form-submissions': async () => (await site.api.site.submissions.add(form)).id,
  })
  const examples = await examplesWithRecords(ask)
  const failed: string[] = []
  const answers = new Map<number, number>()
  for (const mutation of mutationsOf(full, { step, examples, values })) {
    const { method, body, says } = mutation
    const { status } = await send(method, await targets.pathOf(mutation), body)
    targets.answered(mutation, status)
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (isFailure(status)) failed.push(`${says} -> ${status} ${failuresOf(site).at(-1) ?? ''}`)
    if (failed.length >= 200) break
  }
  await site.dispose()
  counted(
    [...answers.values()].reduce((sum, count) => sum + count, 0),
    'writes with an odd value',
  )
  counted(failed.length, 'failures')
  expect(failed, listed('These requests failed:', failed)).toEqual([])
  expect(answers.get(401) ?? 0).toBe(0)
  expect(answers.get(200) ?? 0).toBeGreaterThan(100)
})
