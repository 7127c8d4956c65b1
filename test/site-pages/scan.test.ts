/** Scans pages of the site: names problems, stores counts and proposals, and tells which ones remediations mend. */
import { afterEach, describe, expect, test } from 'vitest'
import type { AccessibilityChecks } from '../../src/index.ts'
import { full } from '../../src/profiles/full.ts'
import { containerElement, storeDocument, widgetElement } from '../support/documents.ts'
import { baseUrl, type TestSiteOptions } from '../support/site.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(async () => {
  expect(site.failures).toEqual([])
  await site.dispose()
})

const faults = '<img src="/pier.png"><a href="/bay/"></a>'

async function open(options: TestSiteOptions = {}) {
  site = await createTestPages({ profile: full, ...options })
  const ada = site.as('ada')
  const write = async (content: string, more: object = {}) => {
    const body = { title: 'Pier', slug: 'pier', status: 'publish', content, ...more }
    return (await ada('POST', '/cms/v2/posts', { body })).body
  }
  const { accessibility } = site.api.site
  const items = async (url: string) =>
    (await ada('GET', '/a11y/v1/remediation/items', { query: { url } })).body.data.data.page as {
      readonly [field: string]: string
    }[]
  const recorded = async () => {
    const collection = {
      name: 'a11y_pages',
      fields: { url: 'text', violations: 'integer', resolved: 'integer' },
    } as const
    const { rows } = await site.api['~parts'].storage.records.query(collection, { where: { every: [] } })
    return rows.map(({ url, violations, resolved }) => [url, violations, resolved])
  }
  return { ada, write, accessibility, items, recorded }
}

const url = `${baseUrl}/pier/`

describe('a scan of a page', () => {
  test('names rule, place, message and a proposal of each problem', async () => {
    const { write, accessibility } = await open()
    const { id } = await write(faults)
    const scan = await accessibility.scan(id)
    expect(scan).toMatchObject({ url, title: 'Pier – Quay Notes', violations: 2, resolved: 0 })
    expect(scan.counts).toEqual({ altText: 1, keyboardAssistiveTech: 1 })
    expect(scan.findings).toMatchObject([
      {
        rule: 'image-alt',
        group: 'altText',
        category: 'A',
        xpath: expect.stringMatching(/^\/html\/body\/main.*\/img$/),
        html: expect.stringContaining('src="/pier.png"'),
        message: 'The picture has no alternative text.',
        proposal: { xpath: '//img[@src="/pier.png"]', attribute_name: 'alt', attribute_value: 'Pier' },
        isResolved: false,
      },
      { rule: 'link-name', proposal: { attribute_name: 'aria-label', attribute_value: 'Bay' } },
    ])
  })

  test('finds it by its address, with and without the host', async () => {
    const { write, accessibility } = await open()
    await write(faults)
    expect((await accessibility.scan(url)).violations).toBe(2)
    expect((await accessibility.scan('/pier/')).violations).toBe(2)
  })

  test('names the element of the builder', async () => {
    const { accessibility } = await open()
    const elements = [containerElement('box', {}, [widgetElement('b000002', 'html', { html: faults })])]
    const id = await storeDocument(site, elements)
    expect((await accessibility.scan(id)).findings.map(({ rule, element }) => [rule, element])).toEqual([
      ['image-alt', 'b000002'],
      ['link-name', 'b000002'],
    ])
  })

  test('reads the style sheets of kit and document', async () => {
    const { accessibility } = await open()
    const heading = (id: string, color: string) =>
      widgetElement(id, 'heading', { title: 'Low tide', header_size: 'h2', title_color: color })
    const elements = [
      containerElement('box', { background_background: 'classic', background_color: '#203040' }, [
        heading('b000001', '#304050'),
        heading('b000002', '#ffffff'),
      ]),
    ]
    const { findings } = await accessibility.scan(await storeDocument(site, elements))
    expect(
      findings.filter(({ rule }) => rule === 'color-contrast').map(({ element, message }) => [element, message]),
    ).toEqual([
      ['b000001', expect.stringMatching(/^The contrast of #304050 on #203040 is 1\.\d+, and 3 is the least\.$/)],
    ])
  })

  test('draws a post that is not published', async () => {
    const { write, accessibility } = await open()
    const { id } = await write(faults, { status: 'draft' })
    expect((await accessibility.scan(id)).violations).toBe(2)
  })

  test.each([
    ['an unknown post', 99_999, /no post 99999/],
    ['an address of another site', 'https://elsewhere.example/', /no address of the site/],
    ['no address', 'https://', /no address of the site/],
    ['an address without a page', '/nowhere/', /404/],
  ])('refuses %s', async (_, target, message) => {
    const { accessibility, recorded } = await open()
    await expect(accessibility.scan(target)).rejects.toThrow(message)
    expect(await recorded()).toEqual([])
  })

  test('takes the HTML of a host with pages of its own', async () => {
    const { accessibility } = await open()
    const html = '<html lang="en"><title>x</title><main><h1 class="pale">Quay</h1></main>'
    const sheets = ['.pale { color: #ccc }']
    const { findings } = await accessibility.scan('/own/', { html, sheets })
    expect(findings.map(({ rule }) => rule)).toEqual(['color-contrast'])
  })
})

describe('what is stored of a scan', () => {
  test('is the counts of the page, and proposals that are switched off', async () => {
    const { write, accessibility, items, recorded } = await open()
    const { id } = await write(faults)
    await accessibility.scan(id)
    expect(await recorded()).toEqual([[url, 2, 0]])
    const listed = await items(url)
    expect(listed.map(({ rule, group, active, global }) => [rule, group, active, global])).toEqual([
      ['image-alt', 'altText', '0', '0'],
      ['link-name', 'keyboardAssistiveTech', '0', '0'],
    ])
    expect((await site.get('/pier/')).text).not.toContain('alt="Pier"')
  })

  test('is nothing by option', async () => {
    const { write, accessibility, items, recorded } = await open()
    await write(faults)
    await accessibility.scan(url, { store: false })
    expect([await items(url), await recorded()]).toEqual([[], []])
  })

  test('mends the page when somebody switches a proposal on', async () => {
    const { write, accessibility, items, recorded, ada } = await open()
    const { id } = await write(faults)
    await accessibility.scan(id)
    for (const { id: item } of await items(url)) {
      const body = { id: item, url, active: true }
      expect((await ada('PATCH', '/a11y/v1/remediation/item', { body })).status).toBe(200)
    }
    const { text } = await site.get('/pier/')
    expect([text.includes('alt="Pier"'), text.includes('aria-label="Bay"')]).toEqual([true, true])
    const again = await accessibility.scan(id)
    expect(again).toMatchObject({ violations: 2, resolved: 2 })
    expect(again.findings.map(({ isResolved }) => isResolved)).toEqual([true, true])
    expect(await recorded()).toEqual([[url, 2, 2]])
  })

  test('is no second proposal for the same problem, and none for one that is gone', async () => {
    const { write, accessibility, items, ada } = await open()
    const { id } = await write(faults)
    await accessibility.scan(id)
    const before = await items(url)
    await accessibility.scan(id)
    expect(await items(url)).toEqual(before)
    await ada('POST', `/cms/v2/posts/${id}`, { body: { content: '<img src="/pier.png">' } })
    await accessibility.scan(id)
    expect((await items(url)).map(({ rule }) => rule)).toEqual(['image-alt'])
  })

  test('leaves what people wrote', async () => {
    const { write, accessibility, items, ada } = await open()
    await write('<p>Low tide</p>')
    const remediation = {
      type: 'ATTRIBUTE',
      xpath: '//p',
      action: 'add',
      attribute_name: 'lang',
      attribute_value: 'en',
    }
    await ada('POST', '/a11y/v1/remediation/item', { body: { url, rule: 'mine', group: 'other', remediation } })
    await accessibility.scan(url)
    expect((await items(url)).map(({ rule }) => rule)).toEqual(['mine'])
  })

  test('says once that the page is registered', async () => {
    const { write, accessibility } = await open()
    await write(faults)
    const urls: string[] = []
    site.api.on('accessibility.page-registered', (payload) => urls.push(payload.url))
    await accessibility.scan(url)
    await accessibility.scan(url)
    expect(urls).toEqual([url])
  })
})

describe('an engine of the host', () => {
  test('takes the place of the rules, which propose what mends its findings', async () => {
    const seen: string[] = []
    const engine: AccessibilityChecks['engine'] = async ({ url: address, html, sheets }) => {
      seen.push(address)
      expect(sheets.length).toBeGreaterThan(0)
      const alt = { rule: 'image-alt', xpath: '//img[@src="/pier.png"]', message: 'No alternative.' }
      return html.includes('alt="Pier"') ? [] : [alt, { rule: 'own-rule', xpath: '/html/body/main', message: 'Hm.' }]
    }
    const { write, accessibility, items } = await open({ services: { accessibility: { engine } } })
    await write(faults)
    const { findings } = await accessibility.scan(url)
    expect(seen).toEqual([url])
    expect(findings).toMatchObject([
      { rule: 'image-alt', group: 'altText', message: 'No alternative.', proposal: { attribute_value: 'Pier' } },
      { rule: 'own-rule', group: 'other', category: '' },
    ])
    expect((await items(url)).map(({ rule }) => rule)).toEqual(['image-alt'])
  })
})

test('a site without pages has no page to draw', async () => {
  const { accessibility } = await open()
  const slot = site.api['~parts'].app.services['sitePages'] as { draw?: unknown }
  delete slot.draw
  await expect(accessibility.scan('/hello/')).rejects.toThrow(/createSitePages/)
})

describe('by themselves, pages', () => {
  const dayMs = 24 * 60 * 60 * 1000
  const mostRuns = 20
  const allDue = async () => {
    for (let run = 0; run < mostRuns; run++) {
      await site.api.site.runDue()
      site.clock.now += 1000
    }
  }

  test('are scanned once in each interval', async () => {
    const { write, items, recorded, ada } = await open({ services: { accessibility: { everyMs: dayMs } } })
    const { id } = await write(faults)
    await allDue()
    const first = await recorded()
    expect(first).toContainEqual([url, 2, 0])
    expect(first.length).toBeGreaterThan(1)
    await ada('POST', `/cms/v2/posts/${id}`, { body: { content: '<p>Low tide</p>' } })
    await allDue()
    expect(await recorded()).toEqual(first)
    site.clock.now += dayMs
    await allDue()
    expect(await recorded()).toContainEqual([url, 0, 0])
    expect(await items(url)).toEqual([])
  })

  test('are not scanned without the option', async () => {
    const { write, recorded } = await open()
    await write(faults)
    await allDue()
    expect(await recorded()).toEqual([])
  })

  test('are judged by the engine of the host, whose failures are logged', async () => {
    const engine: AccessibilityChecks['engine'] = async () => Promise.reject(new Error('no browser'))
    const { recorded } = await open({ services: { accessibility: { everyMs: dayMs, engine } } })
    await allDue()
    expect(await recorded()).toEqual([])
    expect(site.failures.splice(0)).toContainEqual(
      expect.objectContaining({ message: 'a page could not be scanned', error: new Error('no browser') }),
    )
  })
})
