/** The links of a record, and the class names of the element that shows it. */
import type { AppContext } from '../../../core/declare/app-context.ts'
import type { Context } from '../../../core/declare/context.ts'
import { hasRoute } from '../content-types/model.ts'
import { createCapability } from '../terms/model.ts'
import type { FoundPost, RecordType } from './model.ts'
import type { RelatedRows } from './related-rows.ts'

type LinkContext = Pick<Context, 'app' | 'settings' | 'user'>

/** The rows that the view of one record needs besides its row. */
interface LinkedRecord {
  readonly post: FoundPost
  readonly related: RelatedRows
  /** Returns the text of `Allow` on the route of the record; empty without such a route. */
  readonly allow: string
}

/** Leads only to routes that the profile has, and to records that it embeds. */
export function postLinks(
  type: RecordType,
  context: LinkContext,
  { post, related, allow }: LinkedRecord,
  isEdit: boolean,
) {
  const { apiRoot } = context.settings
  const { names } = context.app
  const { revisions } = related
  const root = `${apiRoot}/${names.toPublic('cms/v2')}`
  const collection = apiRoot + names.toPublic(type.route)
  const self = `${collection}/${post.id}`
  const relationName = (relation: string) => names.toPublic(`cms:${relation}`)
  const actions = isEdit ? actionLinks(type, context, self) : {}
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
    ...(has('/cms/v2/media') ? { [relationName('attachment')]: [{ href: `${root}/media?parent=${post.id}` }] } : {}),
    ...(taxonomies.length > 0
      ? {
          [relationName('term')]: taxonomies.map(({ name, restBase }) => ({
            taxonomy: names.toPublic(name),
            embeddable,
            href: `${root}/${names.toPublic(restBase)}?post=${post.id}`,
          })),
        }
      : {}),
    ...actions,
    curies: [{ name: names.toPublic('cms'), href: names.toPublic('https://api.cms.example/{rel}'), templated: true }],
  }
}

const versionLinks = (self: string, { count, latest }: RelatedRows['revisions']) => ({
  'version-history': [{ count, href: `${self}/revisions` }],
  ...(count > 0 ? { 'predecessor-version': [{ id: latest, href: `${self}/revisions/${latest}` }] } : {}),
})

/** Lists the actions of a user on a record, and the capability for each. */
interface Action {
  /** The public name of the link relation. */
  readonly relation: string
  readonly capability: string
  /** Whether it is a capability of the type, under the name of that of posts. */
  readonly isOfType: boolean
}

const knownActions = new WeakMap<RecordType, WeakMap<AppContext, readonly Action[]>>()

/** Made once for a type: every view of the edit context has them. */
function actionsOf(type: RecordType, app: AppContext): readonly Action[] {
  const ofType = knownActions.get(type) ?? new WeakMap<AppContext, readonly Action[]>()
  knownActions.set(type, ofType)
  const actions = ofType.get(app) ?? makeActions(type, app)
  ofType.set(app, actions)
  return actions
}

function makeActions(type: RecordType, { names }: AppContext): Action[] {
  const action = (name: string, capability: string, isOfType: boolean): Action => ({
    relation: names.toPublic(`cms:action-${name}`),
    capability,
    isOfType,
  })
  return [
    action('publish', 'publish_posts', true),
    action('unfiltered-html', 'unfiltered_html', false),
    ...(type.supports('sticky') ? [action('sticky', 'edit_others_posts', true)] : []),
    ...(type.supports('author') ? [action('assign-author', 'edit_others_posts', true)] : []),
    ...type.published.taxonomies.flatMap((taxonomy) => [
      action(`create-${taxonomy.restBase}`, createCapability(taxonomy), false),
      action(`assign-${taxonomy.restBase}`, taxonomy.granted.assign_terms, false),
    ]),
  ]
}

/** The link relations for what the user may do with the record. */
function actionLinks(type: RecordType, { user, app }: LinkContext, href: string) {
  const permitted = permittedActions(type, { user, app })
  const links: { [relation: string]: readonly { readonly href: string }[] } = {}
  for (const [index, { relation }] of actionsOf(type, app).entries()) {
    if (permitted[index] === '1') links[relation] = [{ href }]
  }
  return links
}

/** Returns the actions that the user may do on records of the type, as a part of the keys of caches. */
export function permittedActions(type: RecordType, { user, app }: Pick<LinkContext, 'user' | 'app'>): string {
  const actor = type.actor(user)
  return actionsOf(type, app)
    .map(({ capability, isOfType }) => ((isOfType ? actor : user).can(capability) ? '1' : '0'))
    .join('')
}

export function classList(type: RecordType, post: FoundPost, { terms }: RelatedRows, isLocked: boolean): string[] {
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
