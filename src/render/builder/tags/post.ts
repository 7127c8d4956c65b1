/** Dynamic tags about the current post. */

import type { Post } from '../../../contract/storage.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { contentForExcerpt } from '../elements/post-content.ts'
import { h } from '../html/nodes.ts'
import { serialize } from '../html/serialize.ts'
import type { Tag, TagContext, TagTable } from '../pass/pass.ts'
import {
  currentPost,
  cutToLength,
  isLocked,
  termsOf,
  titleOf,
  writtenExcerpt,
} from '../template-context/current-post.ts'
import { ageOf, formatDate, siteFormat } from '../template-context/dates.ts'
import { fieldOf } from '../template-context/fields.ts'
import { imageValue, postImages } from '../template-context/images.ts'

const ofPost =
  (answer: (post: Post, context: TagContext) => unknown): Tag =>
  (context) => {
    const post = currentPost(context.scope, context.pass)
    return post && answer(post, context)
  }

function excerpt(post: Post, { settings, pass, scope }: TagContext): string {
  const written = writtenExcerpt(post, pass)
  const isMade = written === '' && settings.isOn('apply_to_post_content') && !isLocked(post, pass)
  const text = isMade ? pass.text.excerpt({ excerpt: '', content: contentForExcerpt(post, scope, pass) }) : written
  const length = Math.floor(settings.number('max_length', 0))
  return length > 0 ? cutToLength(text, length) : text
}

/** Date formats that the setting names; other values select the format of the site. */
const DATES = ['F j, Y', 'Y-m-d', 'm/d/Y', 'd/m/Y']
const TIMES = ['g:i a', 'g:i A', 'H:i']

const moment =
  (kind: 'date_format' | 'time_format', listed: readonly string[]) =>
  (post: Post, { settings, pass }: TagContext): string => {
    const isModified = settings.text('type') === 'post_modified_gmt'
    const format = settings.text('format', 'default')
    const gmt = isModified ? post.modifiedGmt : (post.dateGmt ?? '')
    if (format === 'human') return gmt === '' ? '' : ageOf(gmt, pass)
    const pattern =
      format === 'custom' ? settings.text('custom_format') : listed.includes(format) ? format : siteFormat(kind, pass)
    return escapeHtml(formatDate(isModified ? post.modified : post.date, pattern, pass))
  }

function terms(post: Post, { settings, pass }: TagContext): string {
  const isLinked = settings.isOn('link', 'yes')
  return termsOf(post, pass, settings.text('taxonomy', 'post_tag'))
    .map((term) => {
      const attributes = isLinked ? { href: term.address, rel: 'tag' } : {}
      return serialize(h(isLinked ? 'a' : 'span', attributes, term.name))
    })
    .join(settings.text('separator', ', '))
}

function mediumData(post: Post, { settings, pass }: TagContext): unknown {
  const medium = post.featuredMedia > 0 ? pass.medium(post.featuredMedia) : undefined
  if (!medium) return undefined
  const data: { readonly [name: string]: string } = {
    title: escapeHtml(medium.title),
    alt: escapeHtml(medium.alternative),
    caption: medium.caption,
    description: medium.description,
    src: escapeHtml(medium.address),
    href: escapeHtml(medium.address),
  }
  const name = settings.text('attachment_data', 'title')
  return Object.hasOwn(data, name) ? data[name] : undefined
}

export const postTags: TagTable = {
  'post-title': ofPost((post, { pass }) => titleOf(post, pass)),
  'post-id': ofPost(({ id }) => id),
  'post-url': ofPost(({ id }, { pass }) => ({ url: pass.addressOf(id) })),
  'post-excerpt': ofPost(excerpt),
  'post-date': ofPost(moment('date_format', DATES)),
  'post-time': ofPost(moment('time_format', TIMES)),
  'post-terms': ofPost(terms),
  'post-featured-image': ofPost(({ featuredMedia }, { pass }) => imageValue(featuredMedia, pass)),
  'featured-image-data': ofPost(mediumData),
  'post-custom-field': ofPost(({ id }, { settings, pass }) =>
    fieldOf(id, settings.text('custom_key') || settings.text('key'), pass),
  ),
  'post-gallery': ofPost((post, { pass }) => (isLocked(post, pass) ? [] : postImages(post, pass))),
  'comments-number': ofPost(({ id }, { settings, pass }) => {
    const text = settings.text('format_no_comments', 'No Responses')
    if (settings.text('link_to') !== 'comments_link') return escapeHtml(text)
    return serialize(h('a', { href: `${pass.addressOf(id)}#comments` }, text))
  }),
  'comments-url': ofPost(({ id }, { pass }) => ({ url: `${pass.addressOf(id)}#comments` })),
}
