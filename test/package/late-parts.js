/**
 * Each part of the package that is loaded late, or that a bundle could lose, acts once: copied into a project that has the package, and
 * run by each runtime. A function resolves to what is wrong, or to undefined. None of them needs a disk, a socket or an optional peer.
 */
export const home = 'https://quay.example'

const json = { 'content-type': 'application/json' }
const widget = (id, widgetType, settings) => ({ id, elType: 'widget', widgetType, settings, elements: [] })
const secret = `whsec_${btoa('a key of 24 bytes, or so')}`

/** A site with an administrator. `send` speaks HTTP as ada, and gives the response with its text and, where it is JSON, its value. */
export async function openSite({ createSiteApi, full, createMedia, memoryMedia }, storage, options = {}) {
  const failures = []
  const api = createSiteApi({
    ...{ storage, profile: full, url: home, passwordCost: 10, docs: true },
    log: { error: (message, { error }) => failures.push(`${message}: ${error?.message}`) },
    ...options,
    services: { media: createMedia({ driver: memoryMedia() }), ...options.services },
  })
  const ada = await api.site.users.create({ login: 'ada', roles: ['administrator'], password: 'the password of ada' })
  const { password } = await api.site.passwords.create(ada.id, 'check')
  const authorization = `Basic ${btoa(`ada:${password}`)}`
  const send = async (method, path, body, headers = {}) => {
    const isPlain = body !== undefined && !(body instanceof FormData) && typeof body !== 'string'
    const init = { method, headers: { authorization, ...(isPlain ? json : {}), ...headers } }
    if (body !== undefined) init.body = isPlain ? JSON.stringify(body) : body
    const response = await api.fetch(new Request(`${home}/api${path}`, init))
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = new TextDecoder().decode(bytes)
    return { status: response.status, headers: response.headers, bytes, text, value: jsonOf(text) }
  }
  const built = async (elements, more = {}) => {
    const meta = {
      ...{ _builder_edit_mode: 'builder', _builder_template_type: 'wp-post' },
      _builder_data: JSON.stringify(elements),
    }
    return (await send('POST', '/cms/v2/posts', { title: 'Built', status: 'publish', meta, ...more })).value
  }
  return { api, send, built, failures, authorization }
}

function jsonOf(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unless = (isRight, seen) => (isRight ? undefined : String(seen).slice(0, 300))

/** Counted by Web Crypto, without the library that signs. */
async function signatureOf({ headers, body }) {
  const bytes = Uint8Array.from(atob(secret.slice(6)), (letter) => letter.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const digest = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(signed))
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(digest)))}`
}

/** WordPress's export format. */
const exported = `<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Old</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_site_url>https://old.example</wp:base_site_url><wp:base_blog_url>https://old.example</wp:base_blog_url><item><title>Moved</title><link>https://old.example/moved/</link><content:encoded><![CDATA[<p>words</p>]]></content:encoded><wp:post_id>5</wp:post_id><wp:post_date>2020-01-01 10:00:00</wp:post_date><wp:post_date_gmt>2020-01-01 10:00:00</wp:post_date_gmt><wp:post_name>moved</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item></channel></rss>`

/** `site`: the main entry; `more`: other entries; `storage`: makes an empty storage. */
export const parts = {
  async webhook({ site, storage }) {
    const sent = []
    const outbound = {
      get: async () => ({ status: 404 }),
      send: async (url, request) => {
        sent.push(request)
        return { url, status: 204, contentType: '', body: new Uint8Array() }
      },
    }
    const webhooks = [{ url: 'https://receiver.example/', secret, events: ['post.published'] }]
    const { api, send, failures } = await openSite(site, storage(), { services: { outbound }, webhooks })
    await send('POST', '/cms/v2/posts', { title: 'Tide', status: 'publish' })
    await api.site.runDue()
    await api.close()
    if (sent.length === 0) return `nothing is sent; ${failures}`
    return unless(sent[0].headers['webhook-signature'] === (await signatureOf(sent[0])), JSON.stringify(sent[0]))
  },

  async 'rules of style'({ site, storage }) {
    const { api, built, failures } = await openSite(site, storage())
    const made = await built([widget('abc1234', 'heading', { title: 'Tide', custom_css: 'selector { tab-size: 3 }' })])
    const shown = await api.render.document(made?.id)
    await api.close()
    return unless(/tab-size: ?3/.test(JSON.stringify(shown?.css)), `${JSON.stringify([made, shown])} ${failures}`)
  },

  async 'style sheet of classes'({ site, storage }) {
    const { api, send, failures } = await openSite(site, storage())
    const variable = { id: 'sea', type: 'global-color-variable', label: 'sea', value: '#2F6B4F', sync_to_v3: true }
    const operations = [{ type: 'create', variable }]
    const made = await send('POST', '/builder/v1/variables/batch', { watermark: 0, operations })
    const sheet = await send('POST', '/builder/v1/design-system-sync/stylesheet')
    await api.close()
    return unless(sheet.status === 201, `${made.status} ${sheet.status} ${sheet.text} ${failures}`)
  },

  async 'whole pages'({ site, storage, more }) {
    const { api, built } = await openSite(site, storage())
    await built([widget('abc1234', 'heading', { title: 'High tide' })], { slug: 'tide' })
    const pages = more.pages.createSitePages(api)
    const read = async (path) => (await pages.fetch(new Request(home + path))).text()
    const texts = await Promise.all(['/', '/tide/', '/feed/', '/?s=tide'].map(read))
    await api.close()
    return unless(texts[1].includes('High tide') && texts[2].includes('<rss'), texts.join('\n'))
  },

  async icons({ site, storage }) {
    const dot = { prefix: 'fas', iconName: 'dot', icon: [8, 8, [], 'e000', 'M0 0h8'] }
    const icons = site.createIcons({ sets: [{ dot }] })
    const { api, built } = await openSite(site, storage(), { services: { icons } })
    const icon = (value) => widget(`a${value.length}`, 'icon', { selected_icon: { value, library: 'fa-solid' } })
    const { id } = await built([icon('fas fa-dot'), icon('fas fa-plus')])
    const { html } = await api.render.document(id)
    await api.close()
    return unless(html.includes('d="M0 0h8"') && html.split('<svg').length === 3, html)
  },

  async 'docs page'({ site, storage }) {
    const { api, send } = await openSite(site, storage())
    const [page, document] = [await send('GET', '/docs'), await send('GET', '/openapi.json')]
    await api.close()
    return unless(page.status === 200 && document.value?.openapi, `${page.status} ${document.status}`)
  },

  async import({ site, storage }) {
    const { api } = await openSite(site, storage())
    await api.site.import(new Blob([exported]).stream(), {})
    const { data } = await api.call('GET', '/cms/v2/posts', { slug: 'moved' })
    await api.close()
    return unless(data.length === 1, JSON.stringify(data))
  },

  async 'import from another site'({ site, storage, more }) {
    const old = await openSite(site, storage(), { names: more.names.wordpress })
    await old.send('POST', '/wp/v2/posts', { title: 'Fish soup', status: 'publish' })
    const { api } = await openSite(site, storage())
    const answer = (address, init) => old.api.fetch(new Request(String(address).replace('/wp-json', '/api'), init))
    const [login, password] = atob(old.authorization.slice(6)).split(/:(.*)/s)
    const found = await api.site.importFrom(`${home}/wp-json`, { user: login, password, fetch: answer }).catch((e) => e)
    const { data } = await api.call('GET', '/cms/v2/posts', { search: 'Fish' })
    await Promise.all([old.api.close(), api.close()])
    return unless(data.length === 1, `${found?.message ?? ''} ${JSON.stringify(data)}`)
  },

  async remediation({ site, storage }) {
    const { api, send } = await openSite(site, storage())
    const url = `${home}/`
    await send('POST', '/a11y/v1/remediation/register', { url })
    const shown = await api.site.accessibility.remediate(url, '<!DOCTYPE html><p>One')
    await api.close()
    return unless(JSON.stringify(shown).includes('One'), JSON.stringify(shown))
  },

  async scan({ site, storage }) {
    const { api } = await openSite(site, storage())
    const html = '<html lang="en"><title>One</title><main><h1>One</h1><img src="/pier.png"></main>'
    const { findings } = await api.site.accessibility.scan('/', { html })
    await api.close()
    return unless(findings.length === 1 && findings[0].rule === 'image-alt', JSON.stringify(findings))
  },

  async 'check before publishing'({ site, storage, more }) {
    const { api, send } = await openSite(site, storage())
    more.pages.createSitePages(api)
    const content = '<p>The <a href="/nowhere/">map</a></p>'
    const { value } = await send('POST', '/cms/v2/posts', { title: 'Tide', status: 'publish', content })
    const { findings } = await api.site.check(`post:${value?.id}`)
    const dead = findings.find(({ code }) => code === 'dead-link')
    if (dead) await api.site.check.apply(dead)
    const left = await api.site.check(`post:${value?.id}`)
    await api.close()
    return unless(dead && !left.findings.some(({ id }) => id === dead.id), JSON.stringify([findings, left]))
  },

  async archive({ site, storage }) {
    const { api, send } = await openSite(site, storage())
    const part = { title: 'Part', type: 'section', content: [widget('abc1235', 'heading', { title: 'x' })] }
    const { value } = await send('POST', '/builder/v1/template-library/templates', part)
    const zip = await send('GET', `/builder/v1/template-library/templates/export?ids=${value?.template_id}`)
    await api.close()
    return unless(zip.status === 200, `${zip.status} ${zip.text}`)
  },

  async consent({ site, storage }) {
    const { api, send } = await openSite(site, storage())
    const headers = {
      ...{ 'content-type': 'application/x-www-form-urlencoded', origin: home },
      ...{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
    }
    const values = { app_name: 'Reader', decision: 'sign-in', login: 'ada', password: 'the password of ada' }
    const asked = await send('POST', '/authorize', new URLSearchParams(values).toString(), headers)
    await api.close()
    return unless(asked.status === 200 && /Reader/.test(asked.text), `${asked.status} ${asked.text}`)
  },

  async 'form without files'({ site, storage }) {
    const mails = []
    const mail = { send: async (message) => void mails.push(message) }
    const { api, built, failures } = await openSite(site, storage(), { services: { mail } })
    const fields = [{ _id: 'a1', custom_id: 'name', field_type: 'text' }]
    const settings = {
      form_name: 'Desk',
      submit_actions: ['email'],
      email_to: 'desk@quay.example',
      form_fields: fields,
    }
    const { id } = await built([widget('abc1234', 'form', settings)])
    const body = JSON.stringify({ post_id: id, form_id: 'abc1234', fields: { name: 'Low tide' } })
    const intake = site.submissionHandler(api)
    const { status } = await intake(new Request(`${home}/submit`, { method: 'POST', headers: json, body }))
    await api.site.runDue()
    await api.close()
    return unless(status === 200 && JSON.stringify(mails).includes('Low tide'), `${status} ${mails.length} ${failures}`)
  },
}

/** Names what is wrong with each part. */
export async function wrongParts(acting, environment) {
  const wrong = []
  for (const [name, act] of Object.entries(acting)) {
    const problem = await act(environment).catch((error) => error?.stack ?? String(error))
    if (problem !== undefined) wrong.push(`${name}: ${problem}`)
  }
  return wrong
}
