/** What the people of a new site say about it. */
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

/** Throws `invalid_<key>` for a member that is wrong; null leaves a text as it is, and of a list only texts are kept. */
export function parseChoices(sent: { readonly [key: string]: unknown } | undefined): Partial<Choices> {
  requireBody(sent)
  const chosen: { -readonly [key in keyof Choices]?: Choices[key] } = {}
  for (const key of texts) {
    const value = sent[key]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || value.length > maxLength) throw invalidMember(key)
    chosen[key] = value
  }
  for (const key of lists) {
    const value = sent[key]
    if (value === undefined) continue
    if (!Array.isArray(value) || value.length > maxChoices) throw invalidMember(key)
    chosen[key] = value.filter((one): one is string => typeof one === 'string' && one.length <= maxLength)
  }
  return chosen
}
