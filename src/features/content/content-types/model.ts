/**
 * Content types and taxonomies as values: what a type supports, its words and its capabilities. The routes of a type are made
 * from it by `contentType` of posts/content-type.ts; the lists of types and taxonomies, from what the features of a profile
 * contribute.
 */
import type { Actor } from '../../../core/declare/actor.ts'
import type { AppContext } from '../../../core/declare/app-context.ts'
import { type Args, oneOf } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { categories, tags } from '../../../site/post-keys.ts'
import type { Settings } from '../../../site/settings.ts'
import type { builderFields } from '../../shared/post-meta.ts'

declare module '../../../core/declare/contributions.ts' {
  interface Contributions {
    contentTypes: ContentType
    taxonomies: ContentTaxonomy
    /** The type of content whose lists say in `user_can` what the caller may do with them. */
    userCan: string
  }
}

/** The features that the records of a type have, besides dates, slug, status and password. */
export type Support =
  | 'title'
  | 'editor'
  | 'excerpt'
  | 'author'
  | 'thumbnail'
  | 'comments'
  | 'trackbacks'
  | 'custom-fields'
  | 'post-formats'
  | 'page-attributes'
  | 'sticky'
  | 'revisions'
  | 'autosave'
  | 'builder'

/** A content type as the service sees it. `contentType` makes the feature of one. */
export interface ContentType {
  readonly name: string
  readonly label: string
  readonly pluralLabel: string
  /** The word in its capabilities: `edit_posts`, `edit_pages`. */
  readonly capabilityWord: string
  /** The page builder's name for documents of this type. */
  readonly documentType?: string
  /** Present for types that the types routes list. */
  readonly published?: PublishedType
}

export interface PublishedType {
  /** The last part of the route of its records: `posts`. */
  readonly restBase: string
  readonly isHierarchical: boolean
  readonly taxonomies: readonly ContentTaxonomy[]
  readonly supports: readonly Support[]
  /** Capabilities that do not follow from the word: `{ create_posts: 'upload_files' }`. */
  readonly capabilities?: { readonly [name in CapabilityName]?: string }
  /** Names that the edit context shows in place of the capabilities that count. */
  readonly shownCapabilities?: { readonly [name in CapabilityName]?: string }
  /** Labels that do not follow from the singular and the plural. */
  readonly labels?: { readonly [name: string]: string }
  /** Whether visitors may see its records, and whether each has a link. Default: true. */
  readonly isViewable?: boolean
  /** Whether the search finds its records. Default: as `isViewable`. */
  readonly isSearchable?: boolean
  /** Whether an administration offers its records for menus. Default: as `isViewable`. */
  readonly inMenus?: boolean
  /** Whether everybody may list its records; those who may not read them get the totals. Default: as `isViewable`. */
  readonly hasPublicTotals?: boolean
  /** Fields that are stored as meta. */
  readonly fields?: Args
  /** The names of those that records show beside `meta` instead of in it. Writes and versions have them in `meta`. */
  readonly fieldsBesideMeta?: readonly string[]
  /** Interface: posts show the fields of the page builder also where none is stored. Records of other types do not. */
  readonly showsEmptyDocument?: boolean
  /** The names of the templates that its records may use. Default: none. */
  readonly templates?: (settings: Settings) => readonly string[]
  /** Interface: whether the index shows a page size for revisions, which is the number of them all in fact. */
  readonly showsRevisionPageSize?: boolean
  /** Whether a record may have neither title nor content nor excerpt. */
  readonly mayBeEmpty?: boolean
}

export type ViewContext = 'view' | 'embed' | 'edit'

/** A type that the types routes list. */
export type PublicType = ContentType & { readonly published: PublishedType }

/** The part of a declaration by which its arguments and responses are chosen. */
export type TypeShape<S extends Support = Support, H extends boolean = boolean, T extends string = string> = {
  readonly published: {
    readonly supports: readonly S[]
    readonly isHierarchical: H
    readonly taxonomies: readonly Pick<ContentTaxonomy<T>, 'restBase' | 'pluralLabel' | 'isHierarchical'>[]
  }
}

/** `A` for types that support `Needed`, nothing for others. */
export type IfSupported<S extends Support, Needed extends Support, A> = [Needed] extends [S] ? A : unknown
/** The fields of a type, with those of the page builder where it supports them. */
export type FieldsOf<S extends Support, F extends Args> = F & IfSupported<S, 'builder', typeof builderFields>
export type IfHierarchical<H extends boolean, A> = [H] extends [false] ? unknown : A

export const isSupported = ({ published }: TypeShape, support: Support): boolean => published.supports.includes(support)

/** The names of a type's capabilities, in the order in which the types routes list them. */
const capabilityNames = [
  'edit_post',
  'read_post',
  'delete_post',
  'edit_posts',
  'edit_others_posts',
  'delete_posts',
  'publish_posts',
  'read_private_posts',
  'read',
  'delete_private_posts',
  'delete_published_posts',
  'delete_others_posts',
  'edit_private_posts',
  'edit_published_posts',
  'create_posts',
] as const
type CapabilityName = (typeof capabilityNames)[number]

/** The names of the rights to records of a type: `edit_posts` of pages is `edit_pages`. */
export function capabilitiesOf({ capabilityWord: word, published }: ContentType): {
  readonly [name in CapabilityName]: string
} {
  const singular = word.replace(/s$/, '')
  const named = capabilityNames.map((name) => [
    name,
    name === 'create_posts' ? `edit_${word}` : name.replace(/_posts$/, `_${word}`).replace(/_post$/, `_${singular}`),
  ])
  // The cast: one entry for each name.
  return { ...(Object.fromEntries(named) as { [name in CapabilityName]: string }), ...published?.capabilities }
}

// ---------------------------------------------------------------- taxonomies

/** A taxonomy names its routes, and the capabilities for its terms. */
export interface ContentTaxonomy<B extends string = string> {
  readonly name: string
  readonly label: string
  readonly pluralLabel: string
  readonly isHierarchical: boolean
  /** The last part of the route of its terms, and the name of the argument of posts that holds them. */
  readonly restBase: B
  /** The word in the names of its capabilities: `manage_categories`. */
  readonly capabilityWord: string
  /** The capabilities of roles that manage, edit, delete and assign its terms. */
  readonly granted: TermCapabilities
  /** Labels that do not follow from the singular and the plural. */
  readonly labels?: { readonly [name: string]: string }
  /** Whether visitors may see its terms on pages. Default: true. */
  readonly isViewable?: boolean
  /** The capability that reading its terms needs. Default: none, visitors read them. */
  readonly readCapability?: string
  /** Fields of its terms that are stored as meta. */
  readonly fields?: Args
  /** The id of the term that records without any get, and that no user may remove; 0: none. Default: none. */
  readonly defaultTerm?: (settings: Settings) => number
}

/** The names of capabilities for an administration: `manage_categories`, `edit_categories`, ... */
export const termCapabilitiesOf = ({ capabilityWord: word }: ContentTaxonomy): TermCapabilities => ({
  manage_terms: `manage_${word}`,
  edit_terms: `edit_${word}`,
  delete_terms: `delete_${word}`,
  assign_terms: `assign_${word}`,
})

/** The capabilities that the routes of a taxonomy ask for. */
export interface TermCapabilities
  extends Readonly<Record<'manage_terms' | 'edit_terms' | 'delete_terms' | 'assign_terms', string>> {}

export const editorsManage = {
  manage_terms: 'manage_categories',
  edit_terms: 'manage_categories',
  delete_terms: 'manage_categories',
  assign_terms: 'edit_posts',
}

/**
 * The categories of posts, for types that share them.
 * ```ts
 * const options = { taxonomies: [categoryTaxonomy] }
 * ```
 */
export const categoryTaxonomy = {
  name: categories,
  label: 'Category',
  pluralLabel: 'Categories',
  isHierarchical: true,
  restBase: 'categories',
  capabilityWord: 'categories',
  granted: editorsManage,
  defaultTerm: ({ defaultCategory }: Settings) => defaultCategory,
} as const satisfies ContentTaxonomy

/**
 * The tags of posts, for types that share them.
 * ```ts
 * const options = { taxonomies: [tagTaxonomy] }
 * ```
 */
export const tagTaxonomy = {
  name: tags,
  label: 'Tag',
  pluralLabel: 'Tags',
  isHierarchical: false,
  restBase: 'tags',
  capabilityWord: 'post_tags',
  granted: editorsManage,
} as const satisfies ContentTaxonomy

/** The categories of blocks. */
export const patternCategoryTaxonomy = {
  name: 'cms_pattern_category',
  label: 'Pattern category',
  pluralLabel: 'Pattern categories',
  isHierarchical: false,
  restBase: 'cms_pattern_category',
  capabilityWord: 'categories',
  granted: editorsManage,
  isViewable: false,
} as const satisfies ContentTaxonomy

// ---------------------------------------------------------------- types

const texts = [
  'title',
  'editor',
  'author',
  'thumbnail',
  'comments',
  'revisions',
  'custom-fields',
  'autosave',
  'excerpt',
] as const

export const postType = {
  name: 'post',
  label: 'Post',
  pluralLabel: 'Posts',
  capabilityWord: 'posts',
  documentType: 'wp-post',
  published: {
    restBase: 'posts',
    isHierarchical: false,
    taxonomies: [categoryTaxonomy, tagTaxonomy],
    supports: [...texts, 'trackbacks', 'post-formats', 'sticky', 'builder'],
    showsEmptyDocument: true,
    showsRevisionPageSize: true,
    templates: ({ templates }) => templates,
  },
} as const satisfies PublicType

export const pageType = {
  name: 'page',
  label: 'Page',
  pluralLabel: 'Pages',
  capabilityWord: 'pages',
  documentType: 'wp-page',
  published: {
    restBase: 'pages',
    isHierarchical: true,
    taxonomies: [],
    supports: [...texts, 'page-attributes', 'builder'],
    templates: ({ pageTemplates }) => pageTemplates,
    mayBeEmpty: true,
  },
} as const satisfies PublicType

export const blockType = {
  name: 'cms_block',
  label: 'Pattern',
  pluralLabel: 'Patterns',
  capabilityWord: 'posts',
  published: {
    restBase: 'blocks',
    isHierarchical: false,
    taxonomies: [patternCategoryTaxonomy],
    supports: ['title', 'editor', 'excerpt', 'revisions', 'custom-fields', 'autosave'],
    capabilities: { create_posts: 'publish_posts', read: 'edit_posts' },
    // Interface: names of blocks that no role has; the capabilities of posts count.
    shownCapabilities: {
      ...{ edit_post: 'edit_block', read_post: 'read_block', delete_post: 'delete_block' },
      ...{ publish_posts: 'publish_blocks', read_private_posts: 'read_private_blocks' },
      ...{ edit_private_posts: 'edit_private_blocks', delete_private_posts: 'delete_private_blocks' },
    },
    isViewable: false,
    // Interface: everybody may list blocks.
    hasPublicTotals: true,
    fieldsBesideMeta: ['cms_pattern_sync_status'],
    fields: {
      cms_pattern_sync_status: oneOf(['partial', 'unsynced'], {
        default: '' as never,
        description: 'Whether changes reach the places that show the block; empty: they do.',
      }),
    },
  },
} as const satisfies PublicType

export const mediaType = {
  name: 'attachment',
  label: 'Media',
  pluralLabel: 'Media',
  capabilityWord: 'posts',
  published: {
    restBase: 'media',
    isHierarchical: false,
    taxonomies: [],
    supports: ['title', 'author', 'comments'],
    capabilities: { create_posts: 'upload_files' },
    inMenus: false,
    isSearchable: false,
    mayBeEmpty: true,
  },
} as const satisfies PublicType

/** Types that the page builder opens and no route lists. */
const builderTypes: readonly ContentType[] = [
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

/** The types that the features of the page builder know, whatever the profile. */
export const contentTypes: readonly ContentType[] = [postType, pageType, mediaType, ...builderTypes]

const byName: ReadonlyMap<string, ContentType> = new Map(contentTypes.map((type) => [type.name, type]))

export const findContentType = (name: string): ContentType | undefined => byName.get(name)

/**
 * The user, with the capabilities of this type instead of those of posts: the rules for posts then hold for the type.
 */
export function editorOf(user: Actor, name: string): Actor {
  const type = byName.get(name)
  return type === undefined ? user : actorFor(type)(user)
}

/** Computed once for a type; the actor itself where its capabilities are those of posts. */
export function actorFor(type: ContentType): (user: Actor) => Actor {
  const capabilities = capabilitiesOf(type)
  const renamed = capabilityNames.filter((name) => capabilities[name] !== name && !/_post$/.test(name))
  if (renamed.length === 0) return (user) => user
  const names = new Map<string, string>(renamed.map((name) => [name, capabilities[name]]))
  return (user) => ({ ...user, can: (capability) => user.can(names.get(capability) ?? capability) })
}

// ---------------------------------------------------------------- of a profile

/** Anyone may read; the edit context needs a capability. */
export const unlessEdit = (may: (context: Pick<Context, 'app' | 'user'>) => boolean, message: string, who: string) =>
  permission<{ readonly context: ViewContext }, unknown>(`anyone; in the edit context ${who}`, (context) =>
    context.args.context === 'edit' && !may(context) ? forbidden(context.user, 'rest_cannot_view', message) : undefined,
  )

const routePaths = new WeakMap<AppContext, ReadonlySet<string>>()

/** Whether the profile has a route; `path` is neutral. */
export function hasRoute(app: AppContext, path: string): boolean {
  const known = routePaths.get(app) ?? new Set(app.routes().map(({ pattern }) => pattern.key))
  routePaths.set(app, known)
  return known.has(app.names.toPublic(path))
}

/** The labels of the built-in taxonomies by name. */
export const contentTaxonomies: ReadonlyMap<string, string> = new Map(
  [categoryTaxonomy, tagTaxonomy].map(({ name, pluralLabel }) => [name, pluralLabel]),
)
