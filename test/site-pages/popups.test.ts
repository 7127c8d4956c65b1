/** Popups, floating buttons and the headers and footers of a theme on the pages that their conditions name. */
import { afterEach, describe, expect, test } from 'vitest'
import { wordpress } from '../../src/names/wordpress.ts'
import { full } from '../../src/profiles/full.ts'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const words = (text: string) => widgetElement('w000001', 'text-editor', { editor: `<p>${text}</p>` })
const box = (...elements: unknown[]) => [containerElement('b000001', {}, elements)]

interface Made {
  readonly conditions?: readonly (readonly string[])[]
  readonly settings?: object
  readonly content?: unknown[]
}

/** Saves a template by the routes that clients use. */
async function template(type: string, { conditions = [], settings = {}, content }: Made = {}): Promise<number> {
  const as = { as: site.ids['user.admin'] as number }
  const { data } = await site.api.call<{ readonly template_id: number }>(
    'POST',
    '/builder/v1/template-library/templates',
    { title: `My ${type}`, type, content: content ?? box(words(`Words of ${type}`)), page_settings: settings },
    as,
  )
  const path = `/builder/v1/site-editor/templates-conditions/${data.template_id}`
  await site.api.call('PUT', path, { conditions }, as)
  return data.template_id
}

const everywhere = [['include', 'general']]
const pathOf = async (id: number) => new URL((await site.get(`/?p=${id}`)).location as string).pathname
const dialogOf = (text: string, id: number) => new RegExp(`<dialog id="popup-${id}"[^>]*>`).exec(text)?.[0]
const open = () => createTestPages({ profile: full })

describe('conditions', () => {
  test('name the pages that an overlay is on', async () => {
    site = await open()
    const [id, other] = [await storeDocument(site, box(words('One'))), await storeDocument(site, box(words('Two')))]
    const popup = await template('popup', { conditions: [['include', 'singular', 'post', String(id)]] })
    await template('floating-buttons', { conditions: [...everywhere, ['exclude', 'singular', 'post', String(id)]] })
    const [first, second, archive] = [
      await site.get(await pathOf(id)),
      await site.get(await pathOf(other)),
      await site.get('/'),
    ]
    const shown = [first, second, archive].map(({ text }) => [
      dialogOf(text, popup) !== undefined,
      text.includes('Words of floating-buttons'),
    ])
    expect(shown).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  test('are read as they were set, and conflict only where one template can be shown', async () => {
    site = await open()
    const get = (path: string) =>
      site.api.call('GET', `/builder/v1/site-editor/${path}`, {}, { as: site.ids['user.admin'] as number })
    const ids: { [type: string]: number[] } = {}
    for (const type of ['popup', 'floating-buttons', 'plus-header', 'plus-footer']) {
      ids[type] = [await template(type, { conditions: everywhere }), await template(type, { conditions: everywhere })]
      const { data } = await get(`templates-conditions/${ids[type][0]}`)
      expect(data).toEqual([{ type: 'include', name: 'general', sub_name: '', sub_id: '' }])
    }
    const conflicts = async (type: string) => {
      const { data } = await get(`templates-conditions-conflicts?post_id=${ids[type]?.[0]}&condition=include/general`)
      return (data as { template_id: number }[]).map(({ template_id: id }) => id)
    }
    expect(await conflicts('popup')).toEqual([])
    expect(await conflicts('plus-header')).toEqual([ids['plus-header']?.[1]])
    const { data: listed } = await get('templates')
    expect(listed).toEqual([])
  })

  test('of the header and footer of the theme put them in their places', async () => {
    site = await open()
    for (const type of ['plus-header', 'plus-footer']) await template(type, { conditions: everywhere })
    const { text } = await site.get('/')
    expect(text).toMatch(/<header[^>]*>.*Words of plus-header.*<\/header>.*<main.*<footer[^>]*>.*Words of plus-footer/s)
    expect(text).not.toContain('site-bar')
  })

  test('of a template that is no longer published name nothing', async () => {
    site = await open()
    const id = await template('popup', { conditions: everywhere })
    const path = `/builder/v1/site-editor/templates/${id}`
    const as = { as: site.ids['user.admin'] as number }
    expect((await site.api.call('POST', path, { post_status: 'draft' }, as)).data).toMatchObject({ id })
    expect((await site.get('/')).text).not.toContain('<dialog')
    await site.api.call('POST', path, { post_status: 'publish' }, as)
    expect((await site.get('/')).text).toContain('<dialog')
    expect((await site.api.call('DELETE', path, {}, as)).data).toBe(true)
    expect((await site.get('/')).text).not.toContain('<dialog')
  })
})

describe('a popup', () => {
  test('has the rules that its author stored, in groups or not', async () => {
    site = await open()
    const flat = {
      page_load: 'yes',
      page_load_delay: 3,
      times: 'yes',
      times_times: 2,
      close_automatically: { size: 9 },
    }
    const grouped = {
      triggers: {
        ...{ scrolling: 'yes', scrolling_direction: 'down', scrolling_offset: { unit: '%', size: 30 } },
        ...{ click: 'yes', click_times: 2, exit_intent: 'yes', inactivity: '', page_load: '' },
      },
      timing: { times: 'yes', times_times: '4', times_period: 'week', times_count: 'close' },
      prevent_scroll: 'yes',
    }
    const ids = [
      await template('popup', { conditions: everywhere, settings: flat }),
      await template('popup', { conditions: everywhere, settings: grouped }),
    ]
    const popups = await site.api.render.at('popup', { archive: 'posts' })
    expect(popups.map(({ id, location, rules }) => ({ id, location, rules }))).toEqual([
      {
        ...{ id: ids[0], location: 'popup' },
        rules: { load: 3, times: { most: 2, counts: 'opened', period: 'ever' }, closeAfter: 9 },
      },
      {
        ...{ id: ids[1], location: 'popup' },
        rules: {
          ...{ scroll: { direction: 'down', percent: 30 }, clicks: 2, exit: true, holdsPage: true },
          times: { most: 4, counts: 'closed', period: 'week' },
        },
      },
    ])
    expect(popups[0]?.html).toContain('data-popup="{&quot;load&quot;:3,')
    expect(await site.api.render.at('floating-buttons', { archive: 'posts' })).toEqual([])
  })

  test('says which of its rules no page keeps', async () => {
    site = await open()
    await template('popup', { conditions: everywhere, settings: { timing: { sessions: 'yes', schedule: 'yes' } } })
    const [popup] = await site.api.render.at('popup', { archive: 'posts' })
    expect(popup?.warnings).toMatchObject([
      { code: 'not_drawn', message: expect.stringContaining('sessions, schedule') },
    ])
  })

  test('has the size, place and colours of its settings, and leaves those of the page alone', async () => {
    site = await open()
    const settings = {
      ...{ width: { unit: 'px', size: 444 }, vertical_position: 'bottom', background_background: 'classic' },
      ...{
        background_color: '#123456',
        overlay_background_background: 'classic',
        overlay_background_color: '#00112233',
      },
    }
    const id = await template('popup', { conditions: everywhere, settings })
    const [popup] = await site.api.render.at('popup', { archive: 'posts' })
    const css = popup?.css.map((sheet) => sheet.css).join('') ?? ''
    expect(css).toMatch(new RegExp(`#popup-${id}\\{[^}]*background-color:#123456`))
    expect(css).toMatch(new RegExp(`#popup-${id}\\{[^}]*width:444px`))
    expect(css).toMatch(new RegExp(`#popup-${id}\\{[^}]*margin-bottom:0`))
    expect(css).toMatch(new RegExp(`#popup-${id}::backdrop\\{background-color:#00112233`))
    expect(css).not.toContain(`body.builder-page-${id}`)
  })
})

describe('a link', () => {
  const tag = (settings: object) =>
    `[builder-tag id="t1" name="popup" settings="${encodeURIComponent(JSON.stringify(settings))}"]`
  const button = (settings: object) =>
    widgetElement('w000002', 'button', { text: 'Open it', link: { url: '' }, __dynamic__: { link: tag(settings) } })

  test('that a tag makes leads to its popup, which is then on the page without conditions', async () => {
    site = await open()
    const popup = await template('popup')
    const other = await template('popup')
    const id = await storeDocument(site, box(button({ popup: String(popup), action: 'open' })))
    const { text } = await site.get(await pathOf(id))
    expect(text).toContain(`href="#popup-${popup}"`)
    expect([dialogOf(text, popup) !== undefined, dialogOf(text, other)]).toEqual([true, undefined])
    expect((await site.api.render.document(id))?.popups).toEqual([popup])
  })

  test('in a text of an author, as clients write it, leads there too', async () => {
    site = await open()
    const inner = await template('popup')
    const settings = (id: number) => encodeURIComponent(btoa(JSON.stringify({ id: String(id), toggle: false })))
    const action = (id: number) => `#builder-action%3Aaction%3Dpopup%3Aopen%26settings%3D${settings(id)}`
    const outer = await template('popup', { content: box(words(`<a href="${action(inner)}">Further</a>`)) })
    const plain = `#builder-action:action=popup:open&settings=${btoa(JSON.stringify({ id: outer }))}`
    const id = await storeDocument(
      site,
      box(
        words(`<a href="${action(outer)}">Read</a>`),
        widgetElement('w000003', 'button', { text: 'B', link: { url: plain } }),
      ),
    )
    const { text } = await site.get(await pathOf(id))
    expect(text.match(new RegExp(`href="#popup-${outer}"`, 'g'))).toHaveLength(2)
    expect(dialogOf(text, inner)).toBeDefined()
    expect(text).not.toContain('-action')
  })

  test('that closes a popup may close it for ever, and one that names nothing stays', async () => {
    site = await open()
    const close = (settings: object) => box(button({ action: 'close', ...settings }))
    await template('popup', { conditions: everywhere, content: close({ do_not_show_again: 'yes' }) })
    await template('popup', { conditions: everywhere, content: close({}) })
    const id = await storeDocument(site, box(words('<a href="#builder-action%3Aaction%3Dpopup%3Aopen">A</a>')))
    const { text } = await site.get(await pathOf(id))
    expect(text).toMatch(/href="#popup-close-for-ever".*Open it.*href="#popup-close".*Open it/s)
    expect(text).toContain('#builder-action%3Aaction%3Dpopup%3Aopen')
  })

  test('leads nowhere when it names another post, or a draft', async () => {
    site = await open()
    const post = await storeDocument(site, box(words('A secret')), { status: 'draft' })
    const id = await storeDocument(site, box(button({ popup: String(post) }), words('<a href="#popup-99999">B</a>')))
    expect((await site.get(await pathOf(id))).text).not.toContain('<dialog')
  })
})

describe('the script of popups', () => {
  const scripts = (text: string) =>
    [...text.matchAll(/<script[^>]+src="[^"]+\/(\w+)\.\w+\.js"/g)].map(([, name]) => name)

  test('is loaded only by pages with a popup', async () => {
    site = await open()
    const id = await storeDocument(site, box(words('Plain')))
    expect(scripts((await site.get(await pathOf(id))).text)).toEqual([])
    await template('popup', { conditions: everywhere })
    const { text } = await site.get(await pathOf(id))
    expect(scripts(text)).toEqual(['popups'])
    const address = /src="([^"]+popups[^"]+)"/.exec(text)?.[1] ?? ''
    const { status, text: script } = await site.get(new URL(address).pathname)
    expect([status, script.length < 5000]).toEqual([200, true])
  })

  test('finds them on a site with other names, too', async () => {
    site = await createTestPages({ profile: full, names: wordpress })
    const call = site.api.call
    const as = { as: site.ids['user.admin'] as number }
    const { data } = await call<{ readonly template_id: number }>(
      'POST',
      '/elementor/v1/template-library/templates',
      { title: 'P', type: 'popup', content: box(words('Words of popup')) },
      as,
    )
    await call(
      'PUT',
      `/elementor/v1/site-editor/templates-conditions/${data.template_id}`,
      { conditions: everywhere },
      as,
    )
    const { text } = await site.get('/')
    const name = /<dialog[^>]+class="([\w-]+)"/.exec(text)?.[1]
    const address = /src="([^"]+popups[^"]+)"/.exec(text)?.[1] ?? ''
    expect((await site.get(new URL(address).pathname)).text).toContain(`dialog.${name}`)
  })
})
