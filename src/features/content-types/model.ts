/** The types of content that clients can name: what they are called, who may edit them, and which the page builder opens. */
import type { Actor } from '../../core/permissions.ts'
import type { Settings } from '../../core/settings.ts'

export interface ContentType {
  readonly name: string
  readonly label: string
  readonly pluralLabel: string
  /** The word in its capabilities: `edit_posts`, `edit_pages`. */
  readonly capabilityWord: 'posts' | 'pages'
  /** What the page builder calls a document of this type. */
  readonly documentType?: string
}

/** Public ones only: neither revisions nor anything that the site keeps for itself. */
export const contentTypes: readonly ContentType[] = [
  { name: 'post', label: 'Post', pluralLabel: 'Posts', capabilityWord: 'posts', documentType: 'wp-post' },
  { name: 'page', label: 'Page', pluralLabel: 'Pages', capabilityWord: 'pages', documentType: 'wp-page' },
  { name: 'attachment', label: 'Media', pluralLabel: 'Media', capabilityWord: 'posts' },
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

const byName: ReadonlyMap<string, ContentType> = new Map(contentTypes.map((type) => [type.name, type]))

export const contentType = (name: string): ContentType | undefined => byName.get(name)

/** The user with the capabilities for this type in the place of those for posts, as the rules for posts ask for them. */
export function editorOf(user: Actor, name: string): Actor {
  if (byName.get(name)?.capabilityWord !== 'pages') return user
  return { ...user, can: (capability) => user.can(capability.replace(/_posts$/, '_pages')) }
}

/** The taxonomies of content, as people read them. */
export const contentTaxonomies: ReadonlyMap<string, string> = new Map([
  ['category', 'Categories'],
  ['post_tag', 'Tags'],
])

/** Where the host shows the page builder with a document. */
export const editAddress = ({ url }: Pick<Settings, 'url'>, id: number): string => `${url}/?p=${id}&edit=builder`
