/** Tags leave the site in headers, events and webhooks: they tell which records there are, and no text of one. */
import { expect, test } from 'vitest'
import { full } from '../../../src/profiles/full.ts'
import { createTestSite } from '../../support/site.ts'

test('tags tell numbers of a comment, and digests of its texts', async () => {
  const site = await createTestSite({ profile: full })
  try {
    const told: string[] = []
    site.api.on('tags.changed', ({ tags }) => void told.push(...tags))
    const as = site.as('ada')
    const post = await as('POST', '/cms/v2/posts', { body: { title: 'Pier', status: 'publish' } })
    const body = { post: post.body.id, content: 'hushed', author_name: 'Quiet', author_email: 'quiet@quay.example' }
    const comment = await as('POST', '/cms/v2/comments', { body })
    expect(comment.status).toBe(201)
    const ofRecords = told.filter((tag) => tag.startsWith('records:'))
    expect(ofRecords).toContain(`records:comments:id=${comment.body.id}`)
    // A value is a number, true, false, null or a digest.
    const values = ofRecords.flatMap((tag) => [...tag.matchAll(/=([^&]*)/g)].map(([, value]) => value))
    expect(values.length).toBeGreaterThan(20)
    expect(values.filter((value) => !/^(?:\d+|true|false|null|~[0-9a-z]{2,14})$/.test(value ?? ''))).toEqual([])
  } finally {
    await site.dispose()
  }
})
