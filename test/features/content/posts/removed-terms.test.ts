/** Values that responses show of other records are those of now, also where the storage gives the same row object to every request. */
import { expect, onTestFinished, test } from 'vitest'
import { full } from '../../../../src/profiles/full.ts'
import { counted } from '../../../support/counted.ts'
import { createTestSite } from '../../../support/site.ts'

test.each(['categories', 'tags'])(
  'a post shows none of its %s that was removed, alone and in lists',
  async (taxonomy) => {
    const site = await createTestSite({ profile: full })
    onTestFinished(site.dispose)
    const ada = site.as('ada')
    const term = (await ada('POST', `/cms/v2/${taxonomy}`, { body: { name: 'Gone' } })).body.id
    const values = { title: 'Mill', status: 'publish', [taxonomy]: [term] }
    const { id } = (await ada('POST', '/cms/v2/posts', { body: values })).body
    for (const send of [ada, site.visitor])
      expect((await send('GET', `/cms/v2/posts/${id}`)).body[taxonomy]).toContain(term)
    await ada('DELETE', `/cms/v2/${taxonomy}/${term}`, { query: { force: true } })
    for (const send of [site.visitor, ada]) {
      counted(2, 'reads after a removal')
      const [listed] = (await send('GET', '/cms/v2/posts', { query: { include: id } })).body
      expect(listed[taxonomy]).not.toContain(term)
      expect((await send('GET', `/cms/v2/posts/${id}`)).body[taxonomy]).not.toContain(term)
    }
  },
)
