/** Sends forms and comments with and without a solved challenge, by JSON as a script and by pages as people without one. */
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { submissionHandler } from '../../src/features/builder/form-submissions/intake/handler.ts'
import { full } from '../../src/profiles/full.ts'
import { createSitePages, type SitePagesOptions } from '../../src/site-pages/index.ts'
import { field } from '../features/builder/form-submissions/form-page.ts'
import type { Parsed } from '../support/parsed.ts'
import { formPost, withForms } from './form-posts.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const name = field('name', 'text', 'Name', { required: 'true' })
const plain = formPost('plain', [name])
const asked = formPost('asked', [name, field('proof', 'challenge', 'Proof')])

const open = async (options: SitePagesOptions = {}, posts = [plain, asked]) => {
  const seed = withForms(...posts)
  site = await createTestPages(
    { profile: full, seed: { ...seed, options: { ...seed.options, anonymous_comments: true } } },
    { forms: { limit: { take: () => 0 } }, ...options },
  )
}

const json = { accept: 'application/json' }

async function post(path: string, members: Record<string, string>, headers: Record<string, string> = {}) {
  const { status, text, location } = await site.send(path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(members),
  })
  return { status, text, location, body: (headers['accept'] === undefined ? undefined : JSON.parse(text)) as Parsed }
}

const members = (key: string, value: string, more: object = {}) => ({
  ...{ post_id: String(site.ids[`post.${key}`]), form_id: '476d0ce', 'form_fields[name]': value },
  ...more,
})
const sendForm = (key: string, value: string, more: object = {}) => post(`/${key}/`, members(key, value, more), json)

const comment = (more: object = {}) => ({
  ...{
    comment_form: '1',
    comment_text: 'High water at noon.',
    comment_name: 'Vera',
    comment_email: 'vera@example.test',
  },
  ...more,
})

interface Challenge {
  readonly token: string
  readonly bits: number
  readonly wait: number
}

const challengeFor = async (key: string, form = '476d0ce'): Promise<Challenge> => {
  const { status, headers, text } = await site.get(`/_pages/challenge?post=${site.ids[`post.${key}`]}&form=${form}`)
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  return JSON.parse(text)
}

/** The fields that the script of the pages would add. */
function solved({ token, bits }: Challenge) {
  for (let proof = 0; ; proof++) {
    const digest = createHash('sha256').update(`${token}.${proof}`).digest()
    if (Math.clz32(digest.readUInt32BE()) >= bits) return { challenge_token: token, challenge_proof: String(proof) }
  }
}

const kept = async (): Promise<string[]> => {
  const { body } = await site.as('ada')('GET', '/builder/v1/form-submissions', { query: { order: 'asc' } })
  return body.data.map(({ main }: Parsed) => main?.value)
}
const comments = async (): Promise<number> =>
  (await site.as('ada')('GET', '/cms/v2/comments', { query: { status: 'any', post: site.ids['post.tide'] ?? 0 } })).body
    .length

const codeOf = ({ status, body }: { status: number; body: Parsed }) => [status, body.code]

describe('a form with a field for it', () => {
  test.each(['challenge', 'captcha', 'recaptcha', 'recaptcha_v3', 'hcaptcha', 'turnstile'])(
    'of the type %s is taken with a solved challenge alone, where the host has no service',
    async (type) => {
      await open({}, [formPost('asked', [name, field('proof', type, 'Proof')])])
      expect((await site.get('/asked/')).text).toContain(`<div class="builder-challenge" data-captcha="${type}"></div>`)
      const refused = await sendForm('asked', 'Robot')
      expect(codeOf(refused)).toEqual([403, 'form_challenge_required'])
      const proof = solved(await challengeFor('asked'))
      site.clock.now += 2000
      expect((await sendForm('asked', 'Pat', proof)).status).toBe(200)
      expect(await kept()).toEqual(['Pat'])
    },
  )

  test('takes each challenge once, for its form, in its time, and only with the work done', async () => {
    await open({}, [asked, formPost('other', [name, field('proof', 'challenge', 'Proof')])])
    const challenge = await challengeFor('asked')
    const proof = solved(challenge)
    const early = await sendForm('asked', 'Fast', proof)
    expect(codeOf(early)).toEqual([403, 'form_challenge_early'])
    expect(early.body.data.challenge).toEqual({ ...challenge, wait: 2000 })
    site.clock.now += 2000
    for (const wrong of [
      { challenge_proof: '' },
      { challenge_proof: '0' },
      { challenge_proof: '1e9' },
      { challenge_token: `${challenge.token.slice(0, -2)}aa` },
      { challenge_token: challenge.token.replace('work', 'pause') },
      { challenge_token: 'x'.repeat(4000) },
    ]) {
      const answer = await sendForm('asked', 'Robot', { ...proof, ...wrong })
      expect([wrong, ...codeOf(answer)]).toEqual([wrong, 403, 'form_challenge_failed'])
      expect(answer.body.data.challenge.token).not.toBe(challenge.token)
    }
    expect(codeOf(await sendForm('other', 'Robot', proof))).toEqual([403, 'form_challenge_failed'])
    // A form that is refused for its fields leaves the challenge good.
    expect(codeOf(await sendForm('asked', '', proof))).toEqual([400, 'rest_invalid_param'])
    expect((await sendForm('asked', 'Pat', proof)).status).toBe(200)
    // The response was lost: the same form is answered again, and kept once. The key of the request says nothing else.
    expect((await sendForm('asked', 'Pat', { ...proof, submission_key: 'another' })).status).toBe(200)
    expect(codeOf(await sendForm('asked', 'Robot', proof))).toEqual([403, 'form_challenge_used'])
    const late = solved(await challengeFor('asked'))
    site.clock.now += 3_600_001
    expect(codeOf(await sendForm('asked', 'Robot', late))).toEqual([403, 'form_challenge_expired'])
    expect(await kept()).toEqual(['Pat'])
  })

  test('is sent once more by people without a script, with all that they entered', async () => {
    await open()
    const first = await post('/asked/', members('asked', 'Pat "of" <the> quay'))
    expect(first.status).toBe(403)
    const again = first.text.slice(first.text.indexOf('role="alert"'))
    expect(again).toContain('Please wait a few seconds and send it once more.')
    const inputs = [...again.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].slice(0, 4)
    const fields = Object.fromEntries(inputs.map(([, key = '', value = '']) => [key, value]))
    expect(fields['form_fields[name]']).toBe('Pat &quot;of&quot; &lt;the&gt; quay')
    const second = { ...fields, 'form_fields[name]': 'Pat of the quay' }
    // Too early: the same token again, so that the time goes on.
    const early = await post('/asked/', second)
    expect([early.status, early.text.includes(fields['challenge_token'] ?? '')]).toEqual([403, true])
    site.clock.now += 3000
    expect((await post('/asked/', second)).location).toContain('sent=')
    expect(codeOf(await post('/asked/', { ...second, 'form_fields[name]': 'Robot' }, json))).toEqual([
      403,
      'form_challenge_used',
    ])
    expect(await kept()).toEqual(['Pat of the quay'])
  })

  test('lets a network wait instead of work a few times only', async () => {
    await open({
      forms: { limit: { take: () => 0 }, addressOf: ({ headers }) => headers.get('x-real-ip') ?? undefined },
    })
    const wait = async (value: string, address: string) => {
      const headers = { 'x-real-ip': address }
      const { text } = await post('/asked/', members('asked', value), headers)
      const token = /name="challenge_token" value="([^"]*)"/.exec(text)?.[1] ?? ''
      site.clock.now += 3000
      return post('/asked/', members('asked', value, { challenge_token: token }), headers)
    }
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await wait(`Robot ${i}`, '203.0.113.7')).status)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
    expect((await wait('Pat', '203.0.113.8')).status).toBe(303)
  })

  test('is refused at an address of the host, which has no challenge', async () => {
    await open()
    const body = new URLSearchParams(members('asked', 'Bob'))
    const response = await submissionHandler(site.api)(
      new Request('https://quay.example/submit', { method: 'POST', body }),
    )
    expect([response.status, (await response.json()).code]).toEqual([403, 'form_captcha_unavailable'])
  })
})

describe('a form without such a field', () => {
  test('takes some without a challenge; a script gets one with the refusal of more', async () => {
    await open()
    for (let i = 0; i < 20; i++) expect((await sendForm('plain', `Sender ${i}`)).status).toBe(200)
    const refused = await sendForm('plain', 'Sender 20')
    expect(codeOf(refused)).toEqual([403, 'form_challenge_required'])
    const proof = solved(refused.body.data.challenge)
    site.clock.now += 2000
    expect((await sendForm('plain', 'Sender 20', proof)).status).toBe(200)
    expect(await kept()).toHaveLength(21)
    site.clock.now += 118_000
    expect((await sendForm('plain', 'Sender 21')).status).toBe(200)
  })

  test('asks everybody, or nobody, as the host says', async () => {
    await open({ challenge: true })
    expect(codeOf(await sendForm('plain', 'Robot'))).toEqual([403, 'form_challenge_required'])
    expect((await site.get('/plain/')).text).toContain(' data-challenged="true"')
    await site.dispose()
    await open({ challenge: false })
    for (let i = 0; i < 30; i++) expect((await sendForm('plain', `Sender ${i}`)).status).toBe(200)
    expect(codeOf(await sendForm('asked', 'Robot'))).toEqual([403, 'form_challenge_required'])
  })
})

describe('a comment', () => {
  test('is kept with a solved challenge alone, and each challenge keeps one', async () => {
    await open()
    const page = await site.get('/tide/')
    expect(page.text).toContain(` data-commented="${site.ids['post.tide']}"`)
    expect(page.text).toMatch(/<script type="module" src="[^"]*\/forms\.[0-9a-f]{16}\.js">/)
    const before = await comments()
    const refused = await post('/tide/', comment())
    expect([refused.status, await comments()]).toEqual([403, before])
    const proof = solved(await challengeFor('tide', 'comment%20form'))
    site.clock.now += 2000
    expect((await post('/tide/', comment(proof))).status).toBe(303)
    expect((await post('/tide/', comment({ ...proof, comment_text: 'Buy ropes.' }))).status).toBe(403)
    expect(await comments()).toBe(before + 1)
    // Clients of the interface are not asked.
    const body = {
      post: site.ids['post.tide'],
      content: 'By a client.',
      author_name: 'Bo',
      author_email: 'bo@example.test',
    }
    expect((await site.visitor('POST', '/cms/v2/comments', { body })).status).toBe(201)
  })

  test('without a script is sent once more, from the form that keeps its texts', async () => {
    await open()
    const { text } = await post('/tide/', comment())
    expect(text).toContain('>High water at noon.</textarea>')
    expect(text).toContain('Please wait a few seconds and send it once more.')
    const token = /name="challenge_token" value="([^"]*)"/.exec(text)?.[1] ?? ''
    expect((await post('/tide/', comment({ challenge_token: token }))).status).toBe(403)
    site.clock.now += 3000
    expect((await post('/tide/', comment({ challenge_token: token }))).status).toBe(303)
  })

  test('is taken from everybody where the host says so', async () => {
    await open({ challenge: false })
    expect((await post('/tide/', comment())).status).toBe(303)
    expect((await site.get('/tide/')).text).not.toContain('data-commented')
  })

  test('that fills the hidden field seems to wait, and is not kept', async () => {
    await open({ challenge: 'when-busy' })
    const before = await comments()
    const trapped = await post('/tide/', comment({ leave_empty: 'x' }))
    expect([trapped.status, trapped.location?.includes('comment=held')]).toEqual([303, true])
    expect(await comments()).toBe(before)
    expect((await post('/tide/', comment({ leave_empty: '' }))).status).toBe(303)
    expect(await comments()).toBe(before + 1)
  })
})

describe('the captcha of a service', () => {
  const service = { kind: 'turnstile', siteKey: 'key "1"' } as const
  const limit = { take: () => 0 }

  test('is drawn and allowed on pages with such a field, and judged by the host', async () => {
    const seen: unknown[] = []
    const verify = (token: string, { kind }: { kind: string }) => {
      seen.push([token, kind])
      return token === 'right'
    }
    await open({ forms: { limit, captcha: service, verify } }, [
      plain,
      formPost('asked', [name, field('proof', 'recaptcha', 'Proof')]),
    ])
    const page = await site.get('/asked/')
    expect(page.text).toContain('<div class="cf-turnstile" data-sitekey="key &quot;1&quot;"><noscript>')
    expect(page.text).toContain(
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js" async defer></script>',
    )
    expect(page.headers.get('content-security-policy')).toBe(
      "script-src 'self' https://challenges.cloudflare.com; object-src 'none'; base-uri 'self'; frame-ancestors 'self'",
    )
    const other = await site.get('/plain/')
    expect(other.text).not.toContain('cloudflare')
    expect(other.headers.get('content-security-policy')).not.toContain('cloudflare')
    expect(codeOf(await sendForm('asked', 'Robot'))).toEqual([403, 'form_captcha_failed'])
    expect(codeOf(await sendForm('asked', 'Robot', { 'cf-turnstile-response': 'wrong' }))).toEqual([
      403,
      'form_captcha_failed',
    ])
    expect((await sendForm('asked', 'Pat', { 'cf-turnstile-response': 'right' })).status).toBe(200)
    expect(seen).toEqual([
      ['wrong', 'turnstile'],
      ['right', 'turnstile'],
    ])
  })

  test('is not replaced by the challenge of the pages where nobody judges it', async () => {
    await open({ forms: { limit, captcha: service } }, [formPost('asked', [name, field('proof', 'captcha', 'Proof')])])
    const proof = solved(await challengeFor('asked'))
    site.clock.now += 2000
    expect(codeOf(await sendForm('asked', 'Robot', proof))).toEqual([403, 'form_captcha_unavailable'])
  })

  test('extends the policy of the host where that would keep it out', async () => {
    const contentSecurityPolicy = "default-src 'self'; frame-src 'none'; img-src *"
    await open({ contentSecurityPolicy, forms: { captcha: { kind: 'hcaptcha', siteKey: 'k' } } }, [
      formPost('asked', [name, field('proof', 'hcaptcha', 'Proof')]),
    ])
    const hosts = 'https://hcaptcha.com https://*.hcaptcha.com'
    expect((await site.get('/asked/')).headers.get('content-security-policy')).toBe(
      `default-src 'self'; frame-src ${hosts}; img-src *; script-src 'self' ${hosts}; connect-src 'self' ${hosts}; style-src 'self' ${hosts}`,
    )
  })

  test('of an unknown kind, or without a key, is refused at the start', async () => {
    await open()
    const refused = (forms: object) => () =>
      createSitePages(site.api, { forms: forms as SitePagesOptions['forms'] & object })
    expect(refused({ captcha: { kind: 'built-in', siteKey: 'k' } })).toThrow(/kind: one of recaptcha/)
    expect(refused({ captcha: { kind: 'hcaptcha' } })).toThrow(/siteKey/)
  })

  test('a limit without the method of one is refused at the start', async () => {
    await open()
    const given = { limit: { capacity: 5 } } as unknown as SitePagesOptions['forms'] & object
    expect(() => createSitePages(site.api, { forms: given })).toThrow(/limit of forms must have the method take/)
  })
})
