/** An adapter brings no part of a framework, and changes no globals of its process. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../adapters')

test('imports only types of frameworks', () => {
  const statements = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      // Comments hold examples.
      const code = readFileSync(join(folder, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
      return code.match(/^(?:im|ex)port [^'"]*?from '[^']+'/gm) ?? []
    })
  expect(statements.length).toBeGreaterThan(20)
  const values = statements.filter((one) => !/^\w+ type\b/.test(one) && !/'(?:\.{1,2}\/|node:)[^']*'$/.test(one))
  expect(values).toEqual([])
})

test('leaves globals unchanged when importing, starting and responding', async () => {
  await Promise.all([import('express'), import('fastify')])
  const before = globals()
  const hosts = await Promise.all([
    import('./hosts/fetch.ts').then(({ fetchHost }) => fetchHost),
    import('./hosts/node.ts').then(({ nodeHost }) => nodeHost),
    import('./hosts/express.ts').then(({ expressHost }) => expressHost),
    import('./hosts/fastify.ts').then(({ fastifyHost }) => fastifyHost),
    import('./hosts/next.ts').then(({ nextHost }) => nextHost),
  ])
  for (const host of hosts) {
    const running = await host.start({ site: 'd1' })
    expect((await running.fetch('/api/cms/v2/posts?_embed&search=tide')).status).toBe(200)
    await running.close()
  }
  expect(globals()).toEqual(before)
})

/** Lists their members by name, with a mark that changes when a member is replaced. */
function globals(): { readonly [name: string]: readonly string[] } {
  const of = {
    globalThis,
    Request,
    Response,
    Headers,
    ReadableStream,
    AbortSignal,
    Object,
    Array,
    String,
    Promise,
    JSON,
  }
  const holders = Object.entries(of).flatMap(([name, holder]): [string, object][] => [
    [name, holder],
    ...('prototype' in holder ? [[`${name}.prototype`, holder.prototype as object] as [string, object]] : []),
  ])
  return Object.fromEntries(holders.map(([name, holder]) => [name, membersOf(holder)]))
}

const marks = new WeakMap<object, number>()
let given = 0

const membersOf = (holder: object): readonly string[] =>
  Reflect.ownKeys(holder)
    .filter((key) => !isOfTheRunner(key))
    .map((key) => {
      const { value, get } = Object.getOwnPropertyDescriptor(holder, key) ?? {}
      return `${String(key)} ${markOf(value ?? get)}`
    })

const isOfTheRunner = (key: string | symbol) => /vi(?:te|test)|ssr/i.test(String(key))

function markOf(value: unknown): string {
  if (typeof value !== 'function') return typeof value
  const known = marks.get(value) ?? ++given
  marks.set(value, known)
  return String(known)
}
