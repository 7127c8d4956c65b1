/** Parses the choices that users make in the onboarding. */
import type { Json } from '../../../contract/storage.ts'
import { isObject } from '../../shared/elements.ts'
import { invalidMember, requireBody } from './progress.ts'

export interface Choices {
  readonly building_for: string | null
  readonly site_about: readonly string[]
  readonly experience_level: string | null
  readonly theme_selection: string | null
  readonly site_features: readonly string[]
}

export const noChoices: Choices = {
  building_for: null,
  site_about: [],
  experience_level: null,
  theme_selection: null,
  site_features: [],
}

const texts = ['building_for', 'experience_level', 'theme_selection'] as const
const lists = ['site_about', 'site_features'] as const

const maxLength = 200
const maxChoices = 100

/** Throws `invalid_<key>` for an invalid member. Null does not change a text; non-strings in a list are dropped. */
export function parseChoices(body: { readonly [key: string]: unknown } | undefined): Partial<Choices> {
  requireBody(body)
  const choices: { -readonly [key in keyof Choices]?: Choices[key] } = {}
  for (const key of texts) {
    const value = body[key]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || value.length > maxLength) throw invalidMember(key)
    choices[key] = value
  }
  for (const key of lists) {
    const value = body[key]
    if (value === undefined) continue
    if (!Array.isArray(value) || value.length > maxChoices) throw invalidMember(key)
    choices[key] = value.filter((text): text is string => typeof text === 'string' && text.length <= maxLength)
  }
  return choices
}

/** From the stored setting, which clients may have written: members that are not valid are as at the start. */
export function parseStoredChoices(stored: Json): Choices {
  if (!isObject(stored)) return noChoices
  const valid = [...texts, ...lists].flatMap((key): [string, unknown][] => {
    try {
      return Object.entries(parseChoices({ [key]: stored[key] }))
    } catch {
      return []
    }
  })
  return { ...noChoices, ...Object.fromEntries(valid) }
}
