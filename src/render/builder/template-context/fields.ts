/** Reads custom fields: public meta values, whose names do not begin with an underscore. */
import { textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'
import { postMeta, userMeta } from '../records/kinds.ts'
import { fields } from '../records/service-answers.ts'

const isPublic = (key: string): boolean => key !== '' && !key.startsWith('_')

/** Returns HTML that is not filtered yet. */
export function fieldOf(post: number, key: string, pass: Pass): string {
  if (!isPublic(key)) return ''
  pass.depend(`meta:${post}:${key}`)
  const answer = pass.records.source.services.field ? pass.get(fields, `${post} ${key}`) : undefined
  return textOf(answer ?? pass.get(postMeta, `${post} ${key}`))
}

/** The meta values of a user that are public; others may be private. */
const PROFILE: ReadonlySet<string> = new Set(['description', 'first_name', 'last_name', 'nickname'])

export function profileField(user: number, key: string, pass: Pass): string {
  if (!PROFILE.has(key)) return ''
  pass.depend(`user:${user}`)
  return textOf(pass.get(userMeta, `${user} ${key}`))
}
