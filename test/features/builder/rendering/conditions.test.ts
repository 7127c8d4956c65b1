/** Display conditions: for which posts, readers, times and referrers an element shows. The clock is at 13:00 on 15 June 2024, a Saturday. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeDocument, widgetElement } from '../../../support/documents.ts'
import { createTestSite, type TestSite } from '../../../support/site.ts'

let site: TestSite
beforeAll(async () => {
  site = await createTestSite()
})
afterAll(() => site.dispose())

/** `$post.tide` is the id of a record of the small site. */
function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds)
  if (typeof value === 'string' && value.startsWith('$')) return site.ids[value.slice(1)]
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIds(member)]))
}

async function isShown(stored: unknown, context: object): Promise<boolean | undefined> {
  const id = await storeDocument(site, [
    widgetElement('a', 'heading', { title: 'shown', e_display_conditions: [stored] }),
    widgetElement('b', 'heading', { title: 'always' }),
  ])
  return (await site.api.render.document(id, withIds(context) as object))?.text.includes('shown')
}

test.each<[condition: object, context: object, shows: boolean]>([
  [{ condition: 'post_title', comparator: 'is', title: 'Reading the tide' }, { post: '$post.tide' }, true],
  [{ condition: 'post_title', comparator: 'is_not', title: 'Reading the tide' }, { post: '$post.tide' }, false],
  [{ condition: 'post_title', comparator: 'is_none_of', value: 'Knots' }, { post: '$post.tide' }, true],
  [{ condition: 'post_title', comparator: 'not_contain', title: 'tide' }, { post: '$post.tide' }, false],
  [{ condition: 'post_title', comparator: 'is_empty' }, { post: '$post.tide' }, false],
  [{ condition: 'post_title', comparator: 'is_empty' }, { post: 999999 }, true],
  [{ condition: 'post_title', comparator: 'is_not_empty' }, { post: '$post.tide' }, true],
  [{ condition: 'post_title', comparator: 'is_before', title: 'Sailing' }, { post: '$post.tide' }, true],
  [{ condition: 'post_title', comparator: 'is_after', title: 'Sailing' }, { post: '$post.tide' }, false],
  [
    { condition: 'post_title', comparator: 'is_after_inclusive', title: 'Reading the tide' },
    { post: '$post.tide' },
    true,
  ],
  [
    {
      condition: 'dynamic_tags',
      comparator: 'is_greater_than_inclusive',
      dynamic_tag: '[builder-tag id="a1" name="post-id" settings="%7B%7D"]',
      dynamic_tag_value: '1',
    },
    { post: '$post.tide' },
    true,
  ],
  [
    {
      condition: 'dynamic_tags',
      comparator: 'is_less_than_inclusive',
      dynamic_tag: '[builder-tag id="a1" name="post-id" settings="%7B%7D"]',
      dynamic_tag_value: '1',
    },
    { post: '$post.tide' },
    false,
  ],
  [
    {
      condition: 'dynamic_tags',
      comparator: 'is_before_inclusive',
      dynamic_tag: '[builder-tag id="a1" name="post-id" settings="%7B%7D"]',
      dynamic_tag_value: '9000',
    },
    { post: '$post.tide' },
    true,
  ],
  [
    {
      condition: 'dynamic_tags',
      comparator: 'is_after',
      dynamic_tag: '[builder-tag id="a1" name="post-id" settings="%7B%7D"]',
      dynamic_tag_value: '',
    },
    { post: '$post.tide' },
    true,
  ],
  [
    {
      condition: 'dynamic_tags',
      comparator: 'is',
      dynamic_tag: '[builder-tag id="a1" name="post-url" settings="%7B%7D"]',
      dynamic_tag_value: 'https://quay.example/tide/',
    },
    { post: '$post.tide' },
    true,
  ],
  [
    {
      condition: 'dynamic_tags',
      comparator: 'is_not_empty',
      dynamic_tag: '[builder-tag id="a1" name="no-such" settings="%7B%7D"]',
    },
    { post: '$post.tide' },
    false,
  ],
  [{ condition: 'in_tags', comparator: 'is_empty' }, { post: '$post.tide' }, false],
  [{ condition: 'in_tags', comparator: 'is_not_empty' }, { post: '$post.tide' }, true],
  [{ condition: 'in_tags', comparator: 'not_contain', tags: '$tag.red' }, { post: '$post.tide' }, false],
  [{ condition: 'in_tags', comparator: 'is_not', tags: ['$tag.rare'] }, { post: '$post.tide' }, true],
  [{ condition: 'in_tags', comparator: 'is', tags: ['$tag.red'] }, { post: 999999 }, false],
  [{ condition: 'post_author', comparator: 'is', author: '$user.author2' }, { post: '$post.tide' }, true],
  [{ condition: 'post_author', comparator: 'is_empty' }, { post: 999999 }, true],
  [{ condition: 'page_parent', comparator: 'is', parents: ['$page.front'] }, { post: '$page.about' }, true],
  [{ condition: 'page_parent', comparator: 'is', parent: '$page.front' }, { post: '$page.about' }, true],
  [{ condition: 'page_parent', comparator: 'is', pages: [{ id: '$page.front' }] }, { post: '$post.tide' }, false],
  [{ condition: 'featured_image', comparator: 'is_empty' }, { post: '$post.ferry' }, true],
  [{ condition: 'featured_image', comparator: 'is', featured_image: 'set' }, { post: '$post.tide' }, true],
  [{ condition: 'featured_image', comparator: 'is_not', featured_image: 'not_set' }, { post: '$post.tide' }, true],
  [{ condition: 'featured_image', comparator: 'is', status: 'no' }, { post: '$post.ferry' }, true],
  [{ condition: 'date_of_publish', comparator: 'is', date: '2024-01-14 09:00' }, { post: '$post.tide' }, true],
  [{ condition: 'date_of_publish', comparator: 'is_not', date: '2024-01-14' }, { post: '$post.tide' }, false],
  [{ condition: 'date_of_publish', comparator: 'is_after', date: '2024-01-13' }, { post: '$post.tide' }, true],
  [{ condition: 'date_of_publish', comparator: 'is_after' }, { post: '$post.tide' }, false],
  [{ condition: 'date_of_publish', comparator: 'is_after', date: '2024-01-13' }, { post: 999999 }, false],
  [{ condition: 'current_date', comparator: 'is', date: '2024-06-15' }, {}, true],
  [{ condition: 'current_date', comparator: 'is_before', value: '2024-06-15 13:01' }, {}, true],
  [{ condition: 'current_date', comparator: 'is_after_inclusive', date: '2024-06-15 13:00' }, {}, true],
  [{ condition: 'current_date', comparator: 'is_after', date: '2024-06-15 13:00' }, {}, false],
  [{ condition: 'current_date', comparator: 'is_not', date: 'tomorrow' }, {}, false],
  [{ condition: 'day_of_the_week', comparator: 'is', day: 'Saturday' }, {}, true],
  [{ condition: 'day_of_the_week', comparator: 'is_none_of', days: ['saturday', '0'] }, {}, false],
  [{ condition: 'day_of_the_week', comparator: 'is' }, {}, false],
  [{ condition: 'time_of_the_day', comparator: 'is', time: '1:00 pm' }, {}, true],
  [{ condition: 'time_of_the_day', comparator: 'is', time: '13:00' }, {}, true],
  [{ condition: 'time_of_the_day', comparator: 'is_before', time: '12:30 am' }, {}, false],
  [{ condition: 'time_of_the_day', comparator: 'is_after_inclusive', time: '9:30' }, {}, true],
  [{ condition: 'time_of_the_day', comparator: 'is_not', time: 'noon' }, {}, false],
  [{ condition: 'login_status', comparator: 'is_not', status: 'logged_in' }, {}, true],
  [{ condition: 'login_status', comparator: 'is', status: 'logged_out' }, { user: '$user.editor' }, false],
  [{ condition: 'user_role', comparator: 'is_empty' }, {}, true],
  [{ condition: 'user_role', comparator: 'is', roles: 'editor' }, { user: '$user.editor' }, true],
  [
    { condition: 'from_url', comparator: 'contains', url: 'search.example' },
    { referrer: 'https://search.example/?q=1' },
    true,
  ],
  [
    { condition: 'from_url', comparator: 'is', url: 'https://search.example/' },
    { referrer: 'https://search.example/' },
    true,
  ],
  [{ condition: 'from_url', comparator: 'is_empty', url: '' }, {}, true],
  [{ condition: 'from_url', comparator: 'not_contain', value: 'search' }, { referrer: 'https://a.example/' }, true],
])('%o in %o: %s', async (condition, context, shows) => {
  expect(await isShown(JSON.stringify([[withIds(condition)]]), context)).toBe(shows)
})

test.each<[what: string, stored: unknown, shows: boolean]>([
  ['no text', 7, true],
  ['an empty text', '', true],
  ['no JSON', '[', true],
  ['no list', '{}', true],
  ['no groups', '[]', true],
  ['groups that are none', '[[],7]', true],
  [
    'one group without a list around it',
    '[{"condition":"login_status","comparator":"is","status":"logged_in"}]',
    false,
  ],
  ['an unknown condition', '[[{"condition":"toString"}]]', false],
  [
    'the second of two groups',
    '[[{"condition":"toString"}],[{"condition":"login_status","comparator":"is_not","status":"logged_in"}]]',
    true,
  ],
])('%s: %o: %s', async (_, stored, shows) => {
  expect(await isShown(stored, {})).toBe(shows)
})
