import { expect, test } from 'vitest'
import { type Actor, system } from '../../../src/core/declare/actor.ts'
import { anyone, can, forbidden, mayEverPass, permission, signedIn } from '../../../src/core/declare/permissions.ts'

/** The cast: permissions ask an actor no more than this. */
const actor = (capabilities: readonly string[], isVisitor = false) =>
  ({ isVisitor, can: (name: string) => capabilities.includes(name) }) as unknown as Actor
const visitor = actor([], true)

test('a refusal is 401 for a visitor, and 403 for everybody else', () => {
  expect(forbidden(visitor)).toMatchObject({ status: 401, code: 'rest_forbidden', message: 'You may not do this.' })
  expect(forbidden(actor([]), 'mine', 'No.')).toMatchObject({ status: 403, code: 'mine', message: 'No.' })
})

test('equal refusals are one object, of which a bounded number is kept', () => {
  expect(forbidden(visitor, 'kept')).toBe(forbidden(visitor, 'kept'))
  expect(forbidden(visitor, 'kept')).not.toBe(forbidden(actor([]), 'kept'))
  for (let at = 0; at < 2000; at++) forbidden(visitor, 'many', `message ${at}`)
  expect(forbidden(visitor, 'late')).not.toBe(forbidden(visitor, 'late'))
  expect(forbidden(visitor, 'kept')).toBe(forbidden(visitor, 'kept'))
})

test('a permission tells ahead who never passes', () => {
  const passes = (user: Actor) =>
    [anyone, signedIn, can('edit_posts'), permission('anyone, if the post is public', () => undefined)].map((one) =>
      mayEverPass(one as never, user),
    )
  expect(passes(visitor)).toEqual([true, false, false, true])
  expect(passes(actor([]))).toEqual([true, true, false, true])
  expect(passes(actor(['edit_posts']))).toEqual([true, true, true, true])
  expect(passes(system)).toEqual([true, true, true, true])
  expect(mayEverPass(permission('nobody but anyone', () => undefined) as never, visitor)).toBe(false)
})

test('a permission refuses those without the capability, or without a sign-in', () => {
  const statusOf = ({ check }: typeof anyone, user: Actor) => {
    // The cast: these permissions ask a request for its user only.
    const error = check({ user } as unknown as Parameters<typeof check>[0])
    return error && 'status' in error ? error.status : undefined
  }
  const users = [visitor, actor([]), actor(['edit_posts'])]
  expect(users.map((user) => statusOf(can('edit_posts'), user))).toEqual([401, 403, undefined])
  expect(users.map((user) => statusOf(signedIn, user))).toEqual([401, undefined, undefined])
  expect(users.map((user) => statusOf(anyone, user))).toEqual([undefined, undefined, undefined])
})
