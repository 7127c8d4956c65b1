/** The links of a record, and the class names of the element that shows it. */
import type { Context } from '../../../core/declare/context.ts'
import { hasRoute } from '../content-types/model.ts'
import { mayCreateTerms } from '../terms/model.ts'
import type { Extras } from './extras.ts'
import type { FoundPost, RecordType } from './model.ts'

type LinkContext = Pick<Context, 'app' | 'settings' | 'user'>

/** What the view of one record needs besides its row. */
interface LinkedRecord {
  readonly post: FoundPost
  readonly extras: Extras
  /** The text of `Allow` on the route of the record; empty without such a route. */
  readonly allow: string
}

/** Leads only to routes that the profile has, and to records that it embeds. */
export function postLinks(
  type: RecordType,
  context: LinkContext,
  { post, extras, allow }: LinkedRecord,
  isEdit: boolean,
) {
  const { apiRoot } = context.settings
  const { names } = context.app
  const { revisions } = extras
  const root = `${apiRoot}/${names.toPublic('cms/v2')}`
  const collection = apiRoot + names.toPublic(type.route)
  const self = `${collection}/${post.id}`
  const relationName = (relation: string) => names.toPublic(`cms:${relation}`)
  const has = (path: string) => hasRoute(context.app, path)
  const embeddable = true
  const { taxonomies } = type.published
  return {
    self: [{ href: self, ...(allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }) }],
    collection: [{ href: collection }],
    about: [{ href: `${root}/types/${names.toPublic(type.name)}` }],
    ...(type.supports('author') ? { author: [{ embeddable, href: `${root}/users/${post.author}` }] } : {}),
    ...(type.supports('comments') && has('/cms/v2/comments')
      ? { replies: [{ embeddable, href: `${root}/comments?post=${post.id}` }] }
      : {}),
    ...(type.supports('revisions') ? versionLinks(self, revisions) : {}),
    ...(post.parent > 0 && type.published.isHierarchical
      ? { up: [{ embeddable, href: `${collection}/${post.parent}` }] }
      : {}),
    ...(post.featuredMedia > 0 && type.supports('thumbnail')
      ? { [relationName('featuredmedia')]: [{ embeddable, href: `${root}/media/${post.featuredMedia}` }] }
      : {}),
    ...(has('/cms/v2/media') && type.isViewable
      ? { [relationName('attachment')]: [{ href: `${root}/media?parent=${post.id}` }] }
      : {}),
    ...(taxonomies.length > 0
      ? {
          [relationName('term')]: taxonomies.map(({ name, restBase }) => ({
            taxonomy: names.toPublic(name),
            embeddable,
            href: `${root}/${names.toPublic(restBase)}?post=${post.id}`,
          })),
        }
      : {}),
    ...(isEdit ? actionLinks(type, context, self) : {}),
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

const versionLinks = (self: string, { count, latest }: Extras['revisions']) => ({
  'version-history': [{ count, href: `${self}/revisions` }],
  ...(count > 0 ? { 'predecessor-version': [{ id: latest, href: `${self}/revisions/${latest}` }] } : {}),
})

/** The link relations for what the user may do with the record. */
function actionLinks(type: RecordType, { user, app }: LinkContext, href: string) {
  const actor = type.actor(user)
  const ofTerms = type.published.taxonomies.flatMap((taxonomy) => [
    [`create-${taxonomy.restBase}`, mayCreateTerms(user, taxonomy)] as const,
    [`assign-${taxonomy.restBase}`, user.can(taxonomy.granted.assign_terms)] as const,
  ])
  const actions: readonly (readonly [string, boolean])[] = [
    ['publish', actor.can('publish_posts')],
    ['unfiltered-html', user.can('unfiltered_html')],
    ['sticky', type.supports('sticky') && actor.can('edit_others_posts')],
    ['assign-author', type.supports('author') && actor.can('edit_others_posts')],
    ...ofTerms,
  ]
  return Object.fromEntries(
    actions.filter(([, may]) => may).map(([name]) => [app.names.toPublic(`cms:action-${name}`), [{ href }]]),
  )
}

export function classList(type: RecordType, post: FoundPost, { terms }: Extras, isLocked: boolean): string[] {
  return [
    `post-${post.id}`,
    post.type,
    `type-${post.type}`,
    `status-${post.status}`,
    ...(type.supports('post-formats') ? [`format-${post.format}`] : []),
    ...(post.password !== '' ? [isLocked ? 'post-password-required' : 'post-password-protected'] : []),
    ...(post.featuredMedia > 0 ? ['has-post-thumbnail'] : []),
    'hentry',
    ...terms.map(({ taxonomy, slug }) => `${taxonomy.replace(/^post_/, '')}-${slug}`),
    ...(post.format === 'standard' ? [] : [`post_format-post-format-${post.format}`]),
  ]
}
