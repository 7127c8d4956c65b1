/** The features of `cms/v2` and of the routes beside it. */
import { applicationPasswordRoutes } from '../features/content/application-passwords/index.ts'
import { autosaves } from '../features/content/autosaves/index.ts'
import { batch } from '../features/content/batch.ts'
import { blocks } from '../features/content/blocks.ts'
import { comments } from '../features/content/comments/index.ts'
import { typesOfContent } from '../features/content/content-types/index.ts'
import { embeds } from '../features/content/embeds/index.ts'
import { media } from '../features/content/media/index.ts'
import { menus } from '../features/content/menus/index.ts'
import { pages } from '../features/content/pages.ts'
import { posts } from '../features/content/posts/index.ts'
import { revisions } from '../features/content/revisions/index.ts'
import { search } from '../features/content/search/index.ts'
import { siteSettings } from '../features/content/site-settings/index.ts'
import { postStatuses } from '../features/content/statuses.ts'
import { categories, patternCategories, tags, taxonomies } from '../features/content/terms/index.ts'
import { themes } from '../features/content/themes.ts'
import { avatars } from '../features/content/users/avatars.ts'
import { userAccounts, users } from '../features/content/users/index.ts'

/**
 * The features that every profile has: posts, revisions, types, users, batches. With `contentFeatures` they are the content of a site and
 * nothing else, the smallest bundle of an application: without seeds, exports, imports, the OpenAPI document and the docs page of `content`.
 *
 * ```ts
 * import { baseFeatures, contentFeatures, profile } from 'site-api'
 *
 * export const site = profile({ name: 'site', gmtOffset: 'number', features: [...baseFeatures, ...contentFeatures] })
 * ```
 */
export const baseFeatures = [
  batch,
  embeds,
  posts,
  revisions,
  autosaves,
  typesOfContent,
  taxonomies,
  users,
  avatars,
] as const

/**
 * Features that `d1` and `d2` leave out: `profile({ ...d1, features: [...d1.features, ...contentFeatures] })` adds them.
 *
 * ```ts
 * import { contentFeatures, d1, profile } from 'site-api'
 *
 * export const site = profile({ ...d1, features: [...d1.features, ...contentFeatures] })
 * ```
 */
export const contentFeatures = [
  pages,
  blocks,
  postStatuses,
  media,
  categories,
  tags,
  patternCategories,
  comments,
  menus,
  userAccounts,
  applicationPasswordRoutes,
  search,
  siteSettings,
  themes,
] as const
