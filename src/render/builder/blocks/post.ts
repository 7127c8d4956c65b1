/** Blocks that show parts of the current post: title, dates, excerpt, author, terms and picture. */

import type { Post } from '../../../contract/storage.ts'
import { drawContent } from '../elements/post-content.ts'
import { trusted } from '../html/markup.ts'
import { type Child, h, isNothing } from '../html/nodes.ts'
import type { Block, BlockCall, BlockTable } from '../pass/pass.ts'
import { authorAddress, authorOf, currentPost, isLocked, termsOf } from '../template-context/current-post.ts'
import { integer, isOn, text } from './attributes.ts'
import { dateOf, excerptOf, lockedText, pictureOf, titleText } from './pieces.ts'
import { headingTag, linkAttributes } from './site.ts'
import { wrapper } from './wrapper.ts'

/** A block of the current post; nothing without one that the reader may see. */
const ofPost =
  (draw: (post: Post, call: BlockCall) => Child): Block =>
  (call) => {
    const post = currentPost(call.scope, call.pass)
    return post && draw(post, call)
  }

const linkedTo = (post: Post, call: BlockCall, content: Child): Child =>
  isOn(call, 'isLink') ? h('a', linkAttributes(call, call.pass.addressOf(post.id)), content) : content

const postTitle = ofPost((post, call) => {
  const title = titleText(post, call.pass)
  return title === '' ? undefined : wrapper(call, { tag: headingTag(call, 2) }, linkedTo(post, call, title))
})

const postDate = ofPost((post, call) => {
  const isModified = text(call, 'displayType') === 'modified'
  const local = isModified ? post.modified : post.date
  const time = dateOf(local, 'cms-block-post-date__time', call.pass, text(call, 'format'))
  const classes = [isModified && 'cms-block-post-date__modified-date']
  return wrapper(call, { classes }, linkedTo(post, call, time))
})

const postExcerpt = ofPost((post, call) => {
  const { pass, scope } = call
  const { html, isCut } = excerptOf(post, integer(call, 'excerptLength', 55, [1, 100]), scope, pass)
  const words = text(call, 'moreText')
  const address = pass.addressOf(post.id)
  const more = words !== '' && h('a', { class: ['cms-block-post-excerpt__more-link'], href: address }, words)
  const isBelow = isOn(call, 'showMoreOnNewLine', true)
  return wrapper(
    call,
    {},
    h('p', { class: ['cms-block-post-excerpt__excerpt'] }, trusted(html), isCut && ' …', !isBelow && [' ', more]),
    isBelow && more && h('p', { class: ['cms-block-post-excerpt__more-text'] }, more),
  )
})

const authorName = ofPost((post, call) => {
  const author = authorOf(post, call.pass)
  if (!author) return undefined
  const link = { href: authorAddress(author, call.pass), class: ['cms-block-post-author-name__link'] }
  return wrapper(call, {}, isOn(call, 'isLink') ? h('a', link, author.displayName) : author.displayName)
})

const postAuthor = ofPost((post, call) => {
  const author = authorOf(post, call.pass)
  if (!author) return undefined
  const byline = text(call, 'byline')
  const name = isOn(call, 'isLink')
    ? h('a', { href: authorAddress(author, call.pass) }, author.displayName)
    : author.displayName
  return wrapper(
    call,
    {},
    h(
      'div',
      { class: ['cms-block-post-author__content'] },
      byline !== '' && h('p', { class: ['cms-block-post-author__byline'] }, byline),
      h('p', { class: ['cms-block-post-author__name'] }, name),
    ),
  )
})

const postTerms = ofPost((post, call) => {
  const { pass } = call
  const taxonomy = text(call, 'term', 'category')
  if (!pass.records.source.isPublicTaxonomy(taxonomy)) return undefined
  const terms = termsOf(post, pass, taxonomy)
  if (terms.length === 0) return undefined
  const separator = h('span', { class: ['cms-block-post-terms__separator'] }, text(call, 'separator', ', '))
  const links = terms.flatMap(({ name, address }, index) => [
    index > 0 && separator,
    h('a', { href: address, rel: 'tag' }, name),
  ])
  const part = (name: 'prefix' | 'suffix') =>
    text(call, name) !== '' && h('span', { class: [`cms-block-post-terms__${name}`] }, text(call, name))
  return wrapper(
    call,
    { classes: [`taxonomy-${taxonomy}`.replace(/[^\w-]+/g, '')] },
    part('prefix'),
    links,
    part('suffix'),
  )
})

/** A post does not show its content inside itself. */
const postContent = ofPost((post, call) => {
  const { pass, scope } = call
  const content = isLocked(post, pass) ? lockedText : drawContent(post, scope, pass)
  return isNothing(content) ? undefined : wrapper(call, { classes: ['entry-content'] }, content)
})

const featuredImage = ofPost((post, call) => {
  const size = text(call, 'sizeSlug', 'post-thumbnail')
  const image = isLocked(post, call.pass) ? undefined : pictureOf(post.featuredMedia, size, call.pass)
  return image && wrapper(call, { tag: 'figure' }, linkedTo(post, call, image))
})

const readMore = ofPost((post, call) => {
  const attributes = linkAttributes(call, call.pass.addressOf(post.id))
  const words = text(call, 'content', 'Read more')
  const title = h('span', { class: ['screen-reader-text'] }, `: ${titleText(post, call.pass)}`)
  return wrapper(call, { tag: 'a', attributes }, words, title)
})

export const postBlocks: BlockTable = {
  'post-title': postTitle,
  'post-date': postDate,
  'post-excerpt': postExcerpt,
  'post-author': postAuthor,
  'post-content': postContent,
  'post-author-name': authorName,
  'post-terms': postTerms,
  'post-featured-image': featuredImage,
  'read-more': readMore,
}
