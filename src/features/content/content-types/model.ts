/** Content types and taxonomies: their names, capabilities for editing, and which types the page builder opens. */
import type { Actor } from '../../../core/declare/actor.ts'
import { categories, tags } from '../../../site/post-keys.ts'
import type { Settings } from '../../../site/settings.ts'

export interface ContentType {
  readonly name: string
  readonly label: string
  readonly pluralLabel: string
  /** The word in its capabilities: `edit_posts`, `edit_pages`. */
  readonly capabilityWord: 'posts' | 'pages'
  /** The page builder's name for documents of this type. */
  readonly documentType?: string
  /**
   * Present for types that the types routes list. Choice: pages and media are listed, as posts link to them, although
   * no route lists their records.
   */
  readonly published?: PublishedType
}

export interface PublishedType {
  /** The last part of the route of its records: `posts`. */
  readonly restBase: string
  readonly isHierarchical: boolean
  readonly taxonomies: readonly string[]
  /** The features of an editor for this type. */
  readonly supports: readonly string[]
}

const texts = ['title', 'editor', 'author', 'thumbnail', 'comments', 'revisions', 'custom-fields', 'autosave']

/** Without revisions and other internal types. */
export const contentTypes: readonly ContentType[] = [
  {
    name: 'post',
    label: 'Post',
    pluralLabel: 'Posts',
    capabilityWord: 'posts',
    documentType: 'wp-post',
    published: {
      restBase: 'posts',
      isHierarchical: false,
      taxonomies: [categories, tags],
      supports: [...texts, 'excerpt', 'trackbacks', 'post-formats'],
    },
  },
  {
    name: 'page',
    label: 'Page',
    pluralLabel: 'Pages',
    capabilityWord: 'pages',
    documentType: 'wp-page',
    published: { restBase: 'pages', isHierarchical: true, taxonomies: [], supports: [...texts, 'page-attributes'] },
  },
  {
    name: 'attachment',
    label: 'Media',
    pluralLabel: 'Media',
    capabilityWord: 'posts',
    published: { restBase: 'media', isHierarchical: false, taxonomies: [], supports: ['title', 'author', 'comments'] },
  },
  { name: 'e-landing-page', label: 'Landing page', pluralLabel: 'Landing pages', capabilityWord: 'pages' },
  { name: 'e-floating-buttons', label: 'Floating element', pluralLabel: 'Floating elements', capabilityWord: 'posts' },
  {
    name: 'builder_library',
    label: 'Template',
    pluralLabel: 'Templates',
    capabilityWord: 'posts',
    documentType: 'page',
  },
]

/** A type that the types routes list. */
export type PublicType = ContentType & { readonly published: PublishedType }

export const publicTypes: readonly PublicType[] = contentTypes.filter(
  (type): type is PublicType => type.published !== undefined,
)

const byName: ReadonlyMap<string, ContentType> = new Map(contentTypes.map((type) => [type.name, type]))

export const contentType = (name: string): ContentType | undefined => byName.get(name)

/**
 * The user, with the capabilities of this type instead of those of posts: the rules for posts then hold for the type.
 */
export function editorOf(user: Actor, name: string): Actor {
  if (byName.get(name)?.capabilityWord !== 'pages') return user
  return { ...user, can: (capability) => user.can(capability.replace(/_posts$/, '_pages')) }
}

export interface ContentTaxonomy {
  readonly name: string
  readonly label: string
  readonly pluralLabel: string
  readonly isHierarchical: boolean
  /** The last part of the route of its terms, and the name of the argument of posts that holds them. */
  readonly restBase: string
}

export const taxonomies: readonly ContentTaxonomy[] = [
  { name: categories, label: 'Category', pluralLabel: 'Categories', isHierarchical: true, restBase: 'categories' },
  { name: tags, label: 'Tag', pluralLabel: 'Tags', isHierarchical: false, restBase: 'tags' },
]

/** The types whose records may have its terms. */
export const typesWithTaxonomy = (taxonomy: string): string[] =>
  contentTypes.filter(({ published }) => published?.taxonomies.includes(taxonomy)).map(({ name }) => name)

/** The labels of the taxonomies by name. */
export const contentTaxonomies: ReadonlyMap<string, string> = new Map(
  taxonomies.map(({ name, pluralLabel }) => [name, pluralLabel]),
)

/** The URL where the host opens the page builder with a document. */
export const editAddress = ({ url }: Pick<Settings, 'url'>, id: number): string => `${url}/?p=${id}&edit=builder`
