/** A site that visitors may comment on. */
import { content } from '../../../../src/profiles/content.ts'
import { createTestSite, type TestSiteOptions } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

export const comments = '/cms/v2/comments'

const entry = (key: string, more: object = {}) => ({
  key,
  post: 'post.ferry',
  date_gmt: '2024-03-01T10:00:00',
  content: `Words of ${key}`,
  ...more,
})

export const commentedSite = {
  ...smallSite,
  options: { ...smallSite.options, anonymous_comments: true },
  comments: [
    entry('first', { author_name: 'Vera', author_email: 'vera@example.test' }),
    entry('reply', { parent: 'first', author: 'subscriber', date_gmt: '2024-03-02T10:00:00' }),
    entry('held', { author: 'contributor', status: 'hold', date_gmt: '2024-03-03T10:00:00' }),
    entry('spam', { author_name: 'Pills', author_email: 'pills@example.test', status: 'spam' }),
    entry('secret', { post: 'post.private-editor', author: 'editor' }),
    entry('locked', { post: 'post.locked', author: 'author2' }),
    entry('page', { post: 'page.about', author_name: 'Vera', author_email: 'vera@example.test' }),
  ],
}

export const createCommentedSite = (options: TestSiteOptions = {}) =>
  createTestSite({ profile: content, seed: commentedSite, ...options })

export const visitorNamed = (name: string) => ({
  author_name: name,
  author_email: `${name.toLowerCase()}@example.test`,
})
