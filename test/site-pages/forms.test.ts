/** Sends forms of the pages without a script, and reads how the pages draw them. */
import { afterEach, expect, test } from 'vitest'
import { full } from '../../src/profiles/full.ts'
import { field } from '../features/builder/form-submissions/form-page.ts'
import type { Parsed } from '../support/parsed.ts'
import { formPost, withForms } from './form-posts.ts'
import { createTestPages, type TestPages } from './pages.ts'

let site: TestPages
afterEach(() => site.dispose())

const send = (path: string, post: string, values: Record<string, string>, headers = {}) => {
  const fields = Object.entries(values).map(([name, value]) => [`form_fields[${name}]`, value] as const)
  return site.send(path, {
    method: 'POST',
    headers,
    body: new URLSearchParams([
      ['post_id', String(site.ids[post])],
      ['form_id', '476d0ce'],
      ...fields.map((pair) => [...pair]),
    ]),
  })
}

const names = async (): Promise<string[]> => {
  const { body } = await site.as('ada')('GET', '/builder/v1/form-submissions', { query: { order: 'asc' } })
  return body.data.map(({ main }: Parsed) => main?.value)
}

const scriptsOf = (text: string) =>
  [...text.matchAll(/<script type="module" src="[^"]*\/(\w+)\.[0-9a-f]{16}\.js">/g)].map(([, name]) => name)

const steps = [
  field('who', 'step', 'Who you are', { next_button: 'On' }),
  field('name', 'text', 'Name', { required: 'true' }),
  field('where', 'step', 'Where <i>you</i> live'),
  field('town', 'text', 'Town'),
]

test('what fills a field that is hidden from people is answered like a success, and not kept', async () => {
  const fields = [field('name', 'text', 'Name', { required: 'true' }), field('trap', 'honeypot', 'Web site')]
  const more = {
    ...{ custom_messages: 'yes', success_message: 'We have it.' },
    ...{ submit_actions: ['save-to-database', 'redirect'], redirect_to: '/tide/?for=[field id="name"]' },
  }
  site = await createTestPages({ profile: full, seed: withForms(formPost('write', fields, more)) })
  const json = { accept: 'application/json' }
  const kept = await send('/write/', 'post.write', { name: 'Bob', trap: '' }, json)
  const trapped = await send('/write/', 'post.write', { name: 'Bob', trap: 'x' }, json)
  expect([trapped.status, trapped.text]).toEqual([kept.status, kept.text])
  expect((await send('/write/', 'post.write', { name: 'Bob', leave_empty: 'x' }, json)).text).toBe(kept.text)
  expect((await send('/write/', 'post.write', { name: 'Eve', trap: 'x' })).location).toBe('/tide/?for=Eve')
  expect(await names()).toEqual(['Bob'])
})

test('without a script the steps of a form are groups with names, and the whole form is sent at once', async () => {
  site = await createTestPages({
    profile: full,
    seed: withForms(formPost('steps', [field('hi', 'text', 'Hi'), ...steps])),
  })
  const { text } = await site.get('/steps/')
  const groups = [...text.matchAll(/<fieldset class="builder-form-step[^>]*>(?:<legend[^>]*>(.*?)<\/legend>)?/g)]
  expect(groups.map(([, name]) => name)).toEqual([undefined, 'Who you are', 'Where <i>you</i> live'])
  expect(text).toMatch(/data-next="On"><legend[^>]*>Who/)
  expect(text).not.toMatch(/<fieldset[^>]* hidden/)
  expect((await send('/steps/', 'post.steps', { hi: 'Hello', name: 'Pat', town: 'Lower Bay' })).location).toContain(
    'sent=',
  )
  expect(await names()).toEqual(['Hello'])
})

test('pages load the script of forms, and the texts of its steps, only where they have such', async () => {
  const posts = [formPost('steps', steps), formPost('plain', [field('name', 'text', 'Name')])]
  const words = { formStep: 'Schritt {step} von {steps}', next: 'Weiter' }
  site = await createTestPages({ profile: full, seed: withForms(...posts) }, { words })
  const [withSteps, plain, none] = await Promise.all(['/steps/', '/plain/', '/tide/'].map((path) => site.get(path)))
  expect([withSteps, plain, none].map((page) => scriptsOf(page?.text ?? ''))).toEqual([['forms'], ['forms'], []])
  expect(withSteps?.text).toContain(' data-next="Weiter" data-step="Schritt {step} von {steps}"')
  expect(plain?.text).not.toContain('data-step')
})
