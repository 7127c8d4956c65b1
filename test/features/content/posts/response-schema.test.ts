/** The records that `_embed` adds after the handler must match the response schema too. */
import { afterEach, expect, test } from 'vitest'
import { publicSchema } from '../../../../src/core/request/argument-names.ts'
import { strictProblemOf } from '../../../../src/core/request/check.ts'
import { postParts } from '../../../../src/features/content/posts/content-type.ts'
import { createNames } from '../../../../src/names/word-map.ts'
import { wordpress } from '../../../../src/names/wordpress.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

const [listed, , read] = postParts.records
const postsSchema = listed.responses?.[200] as NonNullable<typeof listed.responses>[200]
const postSchema = read.responses?.[200] as NonNullable<typeof read.responses>[200]

let site: TestSite
afterEach(() => site.dispose())

test.each([
  ['neutral words', []],
  ['the words of the preset', wordpress],
] as const)('posts with embedded records match their schema, in %s', async (_, map) => {
  site = await createTestSite(map.length > 0 ? { names: map } : {})
  const names = createNames(map)
  const path = `/${names.toPublic('cms/v2')}/posts`
  for (const context of ['view', 'embed', 'edit']) {
    const { body } = await site.as('ada')('GET', path, { query: `_embed&per_page=100&status=any&context=${context}` })
    expect(body.length).toBeGreaterThan(10)
    expect(strictProblemOf(publicSchema(postsSchema, names), body)).toBeUndefined()
  }
  const { body: tide } = await site.visitor('GET', `${path}/${site.ids['post.tide']}`, { query: '_embed' })
  expect(Object.keys(tide._embedded)).toEqual([
    'author',
    names.toPublic('cms:featuredmedia'),
    names.toPublic('cms:term'),
  ])
  expect(strictProblemOf(publicSchema(postSchema, names), tide)).toBeUndefined()
})
