import { expect, test } from 'vitest'
import { createApi, pageHtml } from '../../docs/examples/rendering.ts'
import { memoryStorage } from '../../src/storage/memory/index.ts'

test('a host adds a widget and draws a page with it', async () => {
  const api = createApi(memoryStorage())
  const elements = [
    { id: 'a', elType: 'widget', widgetType: 'opening-hours', settings: { hours: '9 & 5', hours_color: '#123456' } },
    {
      id: 'b',
      elType: 'widget',
      widgetType: 'notice',
      settings: { title: 'Closed on <b>Sunday</b>', gap_mobile: { size: 3 } },
    },
  ]
  const { data } = await api.call<{ readonly id: number }>(
    'POST',
    '/cms/v2/posts',
    {
      title: 'Hours',
      status: 'publish',
      meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) },
    },
    { as: 'system' },
  )
  const html = await pageHtml(api, data.id)
  expect(html).toContain('>9 &amp; 5</p>')
  expect(html).toContain('.hours{color:#123456}')
  expect(html).toContain('Closed on <b>Sunday</b>')
  expect(html).toMatch(/@media\(max-width:767px\)\{[^@]*\{--gap:3px\}/)
  expect(await pageHtml(api, 999)).toBeUndefined()
  await api.close()
})
