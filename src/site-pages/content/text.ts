/** Renders the content of a post as HTML for readers. */

import type { Post } from '../../contract/storage.ts'
import { actorOf } from '../../core/declare/actor.ts'
import { findUserById } from '../../core/pipeline/authentication.ts'
import { renderContext } from '../../features/shared/post-meta.ts'
import { editModeKey } from '../../render/builder/records/keys.ts'
import { filterContent } from '../../render/filter/filter.ts'
import { siteRenderOf } from '../../render/index.ts'
import type { Visit } from '../visit.ts'
import { filtered, type Markup, nothing, unfiltered } from './markup.ts'

/** Texts of authors without the right to unfiltered HTML are filtered before they are rendered. */
export async function contentOf(post: Post, visit: Visit): Promise<Markup> {
  const { app, settings, storage, tags } = visit
  tags.add('option:use_smilies')
  const [meta, isTrusted] = await Promise.all([
    storage.meta.read('post', [post.id], ['footnotes']),
    mayWriteAnything(post.author, visit),
  ])
  const footnotes = meta[0]?.value ?? ''
  const text = isTrusted ? post.content : filterContent(post.content)
  return unfiltered(
    app.names.swapMarkup(siteRenderOf(app, settings).content(text, renderContext(post.id, { footnotes }))),
  )
}

async function mayWriteAnything(author: number, { storage, settings, tags }: Visit): Promise<boolean> {
  tags.add('option:roles')
  const user = author > 0 ? await findUserById(storage, author) : undefined
  return user !== undefined && !user.blocked && actorOf(user, settings.roles).can('unfiltered_html')
}

/** Returns contents as `contentOf` does; builder documents come without their style sheets. */
export async function feedContents(posts: readonly Post[], visit: Visit): Promise<readonly Markup[]> {
  const { storage, render, tags } = visit
  const modes = await storage.meta.read(
    'post',
    posts.map(({ id }) => id),
    [editModeKey],
  )
  const built = new Set(modes.filter(({ value }) => value === 'builder').map(({ id }) => id))
  return Promise.all(
    posts.map(async (post) => {
      if (post.password !== '') return nothing
      const drawn = built.has(post.id) ? await render.document(post.id) : undefined
      for (const tag of drawn?.dependencies ?? []) tags.add(tag)
      // Feed readers run no scripts.
      return filtered(drawn ? drawn.html : (await contentOf(post, visit)).markup)
    }),
  )
}
