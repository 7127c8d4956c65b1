/** Checks the declarations of stored fields: one sentence for each mistake, each with what to write instead. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import { nameAdvice } from '../../../contract/nearest-name.ts'
import type { Args, FieldOptions, SchemaNode } from '../../../core/declare/args.ts'

/** An object type, so that the compiler requires every option here. */
const optionTypes: { readonly [O in keyof Required<FieldOptions>]: 'boolean' | 'string' } = {
  isSearched: 'boolean',
  isRevisioned: 'boolean',
  readCapability: 'string',
  writeCapability: 'string',
}

/** Keys with `_` before them are those of the service. */
const keyForm = /^[\p{L}\p{N}][\p{L}\p{N}_ .:-]{0,63}$/u

/** Meta of the service that has no `_` before it. */
const taken: { readonly [kind: string]: readonly string[] } = lookupTable({
  post: ['footnotes'],
  user: ['description', 'first_name', 'last_name', 'locale', 'nickname', 'persisted_preferences'],
})

interface FieldRules {
  /** Names the declaration, as the beginning of a sentence: `contentType 'recipe'`. */
  readonly owner: string
  /** The records, whose meta may have other members: posts stand for all types. */
  readonly kind: 'post' | 'media' | 'term' | 'user' | 'comment'
}

export function fieldProblems(fields: unknown, { owner, kind }: FieldRules): string[] {
  if (fields === undefined) return []
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return [`${owner}: the fields must be an object of builders, such as { subtitle: args.str() }.`]
  // The cast: each member is used after its check only.
  return Object.entries(fields as Args).flatMap(([key, field]) => {
    if (!keyForm.test(key)) {
      return [
        `${owner}: the field '${key}' must begin with a letter or a digit, and have at most 64 letters, digits and _ . : -`,
      ]
    }
    if ((taken[kind] ?? []).includes(key))
      return [`${owner}: the service has a field ${key} already; choose another name.`]
    if (typeof field !== 'object' || field === null || typeof field.node !== 'object' || field.node === null)
      return [`${owner}: the field ${key} must be a builder, such as args.str().`]
    return optionProblemsOf(field.field, { owner: `${owner}: the field ${key}`, kind, node: field.node })
  })
}

function optionProblemsOf(
  options: FieldOptions | undefined,
  { owner, kind, node }: FieldRules & { readonly node: SchemaNode },
): string[] {
  if (options === undefined) return []
  const problems = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(optionTypes, name))
      return [`${owner} has no option ${name}: ${nameAdvice(name, Object.keys(optionTypes), 'the options')}`]
    const type = optionTypes[name as keyof FieldOptions]
    return typeof value === type ? [] : [`${owner}: ${name} must be ${type === 'string' ? 'a text' : 'true or false'}.`]
  })
  if (options.isSearched && !isText(node)) problems.push(`${owner} is no text, so that no search can look into it.`)
  if (options.isSearched && kind !== 'post' && kind !== 'media')
    problems.push(`${owner}: searches look into posts, pages, media and your own types only, not into a ${kind}.`)
  if (options.isRevisioned && kind !== 'post') problems.push(`${owner}: there are no revisions of a ${kind}.`)
  return problems
}

const isText = ({ type, items }: SchemaNode): boolean =>
  [type].flat().includes('string') || (type === 'array' && items !== undefined && isText(items))
