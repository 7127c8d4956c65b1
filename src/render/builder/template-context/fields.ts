/** Custom fields: meta values that are public. Names with a leading underscore are not. */
import { textOf } from '../document/values.ts'
import type { Pass } from '../pass/pass.ts'
import { postMeta, userMeta } from '../records/kinds.ts'
import { fields } from '../records/service-answers.ts'

const isPublic = (key: string): boolean => key !== '' && !key.startsWith('_')

/** HTML of the field's author, not filtered yet. */
export function fieldOf(post: number, key: string, pass: Pass): string {
  if (!isPublic(key)) return ''
  pass.depend(`meta:${post}:${key}`)
  const answer = pass.records.source.services.field ? pass.get(fields, `${post} ${key}`) : undefined
  return textOf(answer ?? pass.get(postMeta, `${post} ${key}`))
}

/** What a profile shows. Other values of a user may hold what is nobody's business. */
const PROFILE: ReadonlySet<string> = new Set(['description', 'first_name', 'last_name', 'nickname'])

export function profileField(user: number, key: string, pass: Pass): string {
  if (!PROFILE.has(key)) return ''
  pass.depend(`user:${user}`)
  return textOf(pass.get(userMeta, `${user} ${key}`))
}
