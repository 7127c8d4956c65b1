/** Capabilities that declarations of a host ask for and no role has: only the host itself could use such a type, taxonomy or field. */
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Args, FieldOptions } from '../../../core/declare/args.ts'
import { defaultRoles, type Roles } from '../../../site/roles.ts'
import { fieldKinds } from '../../shared/own-fields.ts'
import { type ContentTaxonomy, type ContentType, capabilitiesOf } from './model.ts'

/** Returns one sentence for each declaration, with the way to grant what it asks for. */
export function missingCapabilities(app: Pick<AppContext, 'contributions'>, roles: Roles): string[] {
  // Default roles count as they came: the site has taken such a capability away, and the advice would give it back.
  const granted = new Set([defaultRoles, roles].flatMap((all: Roles) => Object.values(all).flatMap(capabilitiesIn)))
  const sentences = askedBy(app).flatMap(({ what, names }) => {
    const missing = [...new Set(names)].filter((name) => !granted.has(name))
    return missing.length === 0 ? [] : [sentence(what, missing)]
  })
  return [...new Set(sentences)]
}

interface Asked {
  readonly what: string
  readonly names: readonly string[]
}

function askedBy({ contributions }: Pick<AppContext, 'contributions'>): Asked[] {
  const types = contributions('contentTypes').filter(({ published }) => published)
  const fields = contributions('metaFields').flatMap((declared) =>
    fieldKinds.map((kind) => ({ what: `a field of ${kind}`, names: namedBy(declared[kind] ?? {}) })),
  )
  return [
    ...types.map((type) => ({ what: `the type ${type.name}`, names: rightsOf(type) })),
    ...contributions('taxonomies').map((one) => ({ what: `the taxonomy ${one.name}`, names: grantedBy(one) })),
    ...types.map(({ name, published }) => ({ what: `a field of ${name}`, names: namedBy(published?.fields ?? {}) })),
    ...fields,
  ]
}

/** The rights to all records of a type; those to one record follow from them. */
const rightsOf = (type: ContentType): string[] =>
  Object.entries(capabilitiesOf(type)).flatMap(([name, right]) => (/_posts$/.test(name) ? [right] : []))

const grantedBy = ({ granted, readCapability, fields = {} }: ContentTaxonomy): string[] => [
  ...[granted.manage_terms, granted.edit_terms, granted.delete_terms, granted.assign_terms],
  ...(readCapability === undefined ? [] : [readCapability]),
  ...namedBy(fields),
]

const namedBy = (fields: Args): string[] => Object.values(fields).flatMap(({ field }) => capabilitiesOfField(field))

const capabilitiesOfField = ({ readCapability, writeCapability }: FieldOptions = {}): string[] =>
  [readCapability, writeCapability].filter((name) => name !== undefined)

const capabilitiesIn = (role: Roles[string]): string[] =>
  Object.keys(role ?? {}).filter((name) => role?.[name] === true)

const sentence = (what: string, missing: readonly string[]) =>
  `No role of the site has the capabilities that ${what} asks for (${missing.join(', ')}). Grant them to a role: ` +
  `await api.site.roles.grant('editor', [${missing.map((name) => `'${name}'`).join(', ')}])`
