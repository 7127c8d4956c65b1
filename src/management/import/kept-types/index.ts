/**
 * Types and taxonomies that the profile lacks and an import keeps: their records are private until a profile declares the type. The
 * service's own types are never kept, because only their features know how to store them.
 */
import { createNames, type Names } from '../../../names/word-map.ts'
import { commentsCollection } from '../../../site/comments/comment.ts'
import { menuItemTypeName, menuTaxonomyName } from '../../../site/menu-items.ts'
import {
  keptTypesOption,
  type ManagementContext,
  postTypesOf,
  readKeptTypes,
  taxonomiesOf,
  withTypes,
} from '../../context.ts'
import { type DeclaredFields, declaredFields } from '../../declared-meta.ts'
import type { MappedComment } from '../entries/comments.ts'
import type { ImportedPost } from '../entries/posts.ts'
import type { ImportedTerm } from '../entries/terms.ts'
import type { FileRecord } from '../reader.ts'
import { declarationsOf, metaFieldsText } from './declarations.ts'
import { Observations } from './observations.ts'
import type { TypeRules } from './type-rules.ts'

/** More kinds than any site has: a file of made-up types can not fill the memory or the option. */
const limits = { types: 100, taxonomies: 200 }

/** Names begin with a letter or a digit, so none is a member of all objects such as `__proto__`. */
const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}_.%-]{0,63}$/u

const ownTypes: readonly string[] = ['revision', menuItemTypeName]
const ownTaxonomies: readonly string[] = ['post_format', menuTaxonomyName]

/** `metaFields` names the records of these types so. */
const kindsOfTypes: ReadonlyMap<string, string> = new Map([
  ['post', 'post'],
  ['page', 'page'],
  ['attachment', 'media'],
])

export class KeptTypes implements TypeRules {
  /** A context whose types are those of the profile, and all that this and earlier imports have kept. */
  readonly context: ManagementContext
  readonly #isWanted: boolean
  readonly #names: Names
  readonly #declaredTypes: ReadonlySet<string>
  readonly #declaredTaxonomies: ReadonlySet<string>
  /** The context holds the same list, so that a type added here is one of the site at once. */
  readonly #types: string[]
  readonly #taxonomies = new Set<string>()
  readonly #observations = new Observations()
  readonly #fields: DeclaredFields
  readonly #hasComments: boolean
  #saved: number

  private constructor(given: ManagementContext, types: string[], isWanted: boolean) {
    this.context = withTypes(given, types)
    this.#fields = declaredFields(given.persisted)
    this.#hasComments = (given.persisted ?? []).some(({ comments }) => comments !== undefined)
    this.#isWanted = isWanted
    this.#names = createNames(given.fileWords)
    this.#declaredTypes = new Set(postTypesOf(given))
    this.#declaredTaxonomies = new Set(taxonomiesOf(given))
    this.#types = types
    this.#saved = types.length
  }

  static async open(given: ManagementContext, isWanted: boolean): Promise<KeptTypes> {
    return new KeptTypes(given, [...(await readKeptTypes(given.storage))], isWanted)
  }

  isDeclared(type: string): boolean {
    return this.#declaredTypes.has(type) && type !== 'revision'
  }

  keeps(written: string): boolean {
    if (!this.#isWanted || !this.#mayKeep(written, ownTypes)) return false
    if (this.#types.includes(written)) return true
    if (this.#types.length >= limits.types) return false
    this.#types.push(written)
    return true
  }

  hasTaxonomy(taxonomy: string, written: string): boolean {
    if (this.#declaredTaxonomies.has(taxonomy) || this.#taxonomies.has(taxonomy)) return true
    if (!this.#isWanted || !this.#mayKeep(written, ownTaxonomies)) return false
    if (this.#taxonomies.size >= limits.taxonomies) return false
    this.#taxonomies.add(taxonomy)
    return true
  }

  /** A name that has another form in files is one of ours, of a feature that the profile lacks. */
  #mayKeep(written: string, own: readonly string[]): boolean {
    const isOurs = this.#names.toNeutral(written) !== written || this.#names.toPublic(written) !== written
    return !isOurs && !own.includes(written) && nameForm.test(written)
  }

  /** Notes what a declaration of the item's type needs. */
  observe(item: ImportedPost, record: FileRecord): void {
    const taxonomies = item.terms.map(({ taxonomy }) => taxonomy)
    for (const taxonomy of taxonomies) {
      if (this.#taxonomies.has(taxonomy)) this.#observations.addUse(taxonomy, item.type)
    }
    if (!this.isDeclared(item.type)) this.#observations.addPost(item, record, taxonomies)
    const kind = kindsOfTypes.get(item.type)
    if (kind) this.#observations.addUndeclared(kind, item.entry.meta, this.#fields.posts(item.type))
    this.observeComments(item.comments)
  }

  observeComments(comments: readonly MappedComment[]): void {
    if (!this.#hasComments) return
    const declared = this.#fields.records(commentsCollection.name)
    for (const { meta } of comments) this.#observations.addUndeclared('comment', meta, declared)
  }

  observeTerm({ taxonomy, entry }: ImportedTerm): void {
    if (this.#taxonomies.has(taxonomy)) this.#observations.addTerm(taxonomy, entry)
    else this.#observations.addUndeclared('term', entry.meta, this.#fields.terms(taxonomy))
  }

  /** The declaration of the fields that the source has and the profile lacks, as TypeScript; undefined: there are none. */
  fields(): string | undefined {
    const { undeclared } = this.#observations
    return undeclared.size === 0 ? undefined : metaFieldsText(undeclared)
  }

  /** Before records of a new type are written: a later import finds them by the stored types. */
  async save(): Promise<void> {
    if (this.#saved === this.#types.length) return
    const { options } = this.context.storage
    await options.write({ [keptTypesOption]: [...this.#types] })
    this.#saved = this.#types.length
  }

  /** The declarations of what the source has of types and taxonomies that are kept, as TypeScript; undefined: nothing. */
  async declarations(idOf: (number: number) => number): Promise<string | undefined> {
    const { types, taxonomies } = this.#observations
    if (types.length === 0 && taxonomies.length === 0) return undefined
    const hierarchical = new Set<string>()
    for (const { name, parents } of types) {
      const rows = await this.context.storage.posts.read(parents.map(idOf).filter((id) => id > 0))
      if (rows.some(({ type }) => type === name)) hierarchical.add(name)
    }
    return declarationsOf({ types, taxonomies, hierarchical, declaredTaxonomies: this.#declaredTaxonomies })
  }
}
