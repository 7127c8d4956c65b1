/** Explanations disclose nothing: each follows from what the caller sent and would be answered, on every route, for everybody. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ruleOf } from '../../src/core/declare/permissions.ts'
import type { Explanation, ExplanationView } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { listed } from '../support/assertion-messages.ts'
import { counted } from '../support/counted.ts'
import { createTestSite, type TestSite } from '../support/site.ts'
import { smallSite } from '../support/small-site.ts'
import { type DeclaredRoute, routesOf } from './declared-routes.ts'
import { sampleArguments } from './sample-values.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite({
    profile: full,
    limit: () => 0,
    services: {
      outbound: { get: async (url) => ({ url, status: 404, contentType: 'text/plain', body: new Uint8Array() }) },
    },
  })
})
afterAll(() => site.dispose())

const routes = routesOf(full)

/** Hidden from most of the actors, and one id that names nothing. */
const hiddenPosts = ['private', 'private-editor', 'draft', 'draft-connie', 'pending', 'trashed', 'trashed-editor']
const idsOf = () => [...hiddenPosts.map((key) => site.ids[`post.${key}`] as number), site.ids['post.hello'], 999_999]

const pathWith = ({ readable }: DeclaredRoute, id: unknown) => readable.replace(/\{\w+\}/g, `${id}`)

/** The explanation without the id that the caller sent. */
const without = (id: unknown, explanation: Explanation): string =>
  JSON.stringify(explanation).replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')

const actors = ['visitor', 'subscriber', 'author', 'editor', 'admin'] as const
const asOf = (actor: (typeof actors)[number]) =>
  actor === 'visitor' ? {} : { as: site.ids[`user.${actor}`] as number }

const explained = (route: DeclaredRoute, id: unknown, actor: (typeof actors)[number], view: ExplanationView = 'own') =>
  site.api.explain(route.method, pathWith(route, id), { ...asOf(actor), body: sampleArguments(route), view })

test('records that have one answer have one explanation, whether they are hidden, or are not there', {
  timeout: 120_000,
}, async () => {
  const differences: string[] = []
  let count = 0
  for (const route of routes.filter(({ parameters }) => parameters.length > 0)) {
    for (const actor of actors) {
      const byAnswer = new Map<string, string>()
      for (const id of idsOf()) {
        const explanation = await explained(route, id, actor)
        count++
        const { status, error } = explanation
        const answer = JSON.stringify([status, error]).replaceAll(`${id}`, 'ID')
        const text = without(id, explanation)
        const known = byAnswer.get(answer)
        byAnswer.set(answer, known ?? text)
        if (known !== undefined && known !== text) differences.push(`${actor}: ${known} / ${text}`)
      }
    }
  }
  counted(count, 'explanations')
  expect(differences, listed('These explanations tell records with one answer apart:', differences)).toEqual([])
})

test('an explanation names no title, login or address, and is the answer that the caller gets', {
  timeout: 120_000,
}, async () => {
  const hidden = smallSite.posts.filter(({ key }) => hiddenPosts.includes(key)).map(({ title }) => title)
  const secrets = [
    ...hidden,
    ...smallSite.users.flatMap(({ login, email, display_name }) => [email, display_name, `"${login}"`]),
  ]
  const told: string[] = []
  const untrue: string[] = []
  for (const route of routes) {
    for (const actor of actors) {
      const id = site.ids['post.private']
      const explanation = await explained(route, id, actor)
      const text = JSON.stringify(explanation)
      told.push(...secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret}: ${text}`))
      const { status, error } = explanation
      const host = await explained(route, id, actor, 'host')
      if (host.status !== status) untrue.push(`${text}: ${JSON.stringify(host)}`)
      if (!error) continue
      const args = sampleArguments(route)
      const answer = await site.api
        .call(route.method, pathWith(route, id), args, asOf(actor))
        .catch((refusal) => refusal)
      if (answer.status !== status || answer.code !== error.code)
        untrue.push(`${text}: ${answer.status} ${answer.code}`)
    }
  }
  expect(told, listed('These explanations tell what is hidden:', told)).toEqual([])
  expect(untrue, listed('These requests get another answer:', untrue)).toEqual([])
})

test('each permission has its rule in words', () => {
  for (const { method, readable, endpoint } of routes) {
    const rule = ruleOf(endpoint.permission)
    expect(rule, `${method} ${readable}`).toMatch(/^(?:anyone|signed in|oneself|users with [\w-]+|(?=\S+[ ,]).{8,})/)
  }
})
