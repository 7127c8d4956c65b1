/** Creates a test site of profile D2 with a public form, and helpers to submit it. */
import { expect, onTestFinished } from 'vitest'
import type { Storage } from '../../../../src/contract/storage.ts'
import type { SubmittedForm } from '../../../../src/features/builder/form-submissions/submitted-form.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import { createTestSite, type Received, type Requester, type TestSiteOptions } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'

export const root = '/builder/v1/form-submissions'

const field = (custom_id: string, field_type: string, field_label: string, more: object = {}) => ({
  custom_id,
  field_type,
  field_label,
  _id: `x${custom_id}`,
  ...more,
})

const formElement = {
  id: '476d0ce',
  elType: 'widget',
  widgetType: 'form',
  settings: {
    form_name: 'Contact',
    form_fields: [
      field('name', 'text', 'Name', { required: 'true' }),
      field('email', 'email', 'E-mail'),
      field('age', 'number', 'Age', { field_min: 18, field_max: '120' }),
      field('topic', 'select', 'Topic', { field_options: 'Boats|boats\nTides' }),
      field('days', 'checkbox', 'Days', { field_options: 'Mon\nTue\nWed' }),
      field('site', 'url', 'Site'),
      field('phone', 'tel', 'Phone'),
      field('day', 'date', 'Day'),
      field('hour', 'time', 'Hour'),
      field('secret', 'password', 'Secret'),
      field('trap', 'honeypot', 'Trap'),
    ],
  },
  elements: [],
}

const page = (key: string, status: string) => ({
  key,
  slug: key,
  title: key,
  status,
  author: 'editor',
  date: '2024-02-20T09:00:00',
  content: '',
  categories: [],
  meta: {
    _builder_edit_mode: 'builder',
    _builder_data: JSON.stringify([{ id: 'c0ntain', elType: 'container', elements: [formElement] }]),
  },
})

const seed = { ...smallSite, posts: [...smallSite.posts, page('contact', 'publish'), page('sketch', 'draft')] }

export const errorOf = ({ status, body }: Received) => [status, body.code]
export const invalidParams = ({ status, body }: Received) => [status, body.code, Object.keys(body.data?.params ?? {})]

export interface Submitted {
  readonly values?: { readonly [key: string]: string }
  readonly more?: Partial<SubmittedForm>
}

export async function openSite(options: Omit<TestSiteOptions, 'seed'> = {}) {
  const site = await createTestSite({ profile: d2, seed, ...options })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const { api, ids, as } = site
  const post = ids['post.contact'] as number
  const types: { readonly [key: string]: string } = { email: 'email', age: 'number' }
  /** Stores a submission and advances the clock by one second. */
  const submit = async ({ values = { name: 'Bob', email: 'bob@mail.test' }, more = {} }: Submitted = {}) => {
    const fields = Object.entries(values).map(([id, value]) => ({
      id,
      value,
      type: types[id] ?? 'text',
      label: id.toUpperCase(),
    }))
    const form = { postId: post, elementId: '476d0ce', formName: 'Contact', fields }
    const { id } = await api.site.submissions.add({ ...form, ...more })
    site.clock.now += 1000
    return id
  }
  const list = async (query: { [name: string]: string | number } = {}, send: Requester = as('ada')) => {
    const { status, body } = await send('GET', root, { query })
    expect([status, body.code]).toEqual([200, undefined])
    return body.data.map(({ id }: { id: number }) => id) as number[]
  }
  const read = async (id: number) => (await as('ada')('GET', `${root}/${id}`)).body.data
  return { ...site, post, submit, list, read, ada: as('ada') }
}

/** Records each storage call as `records.query`; `seen` also receives the returned value. */
export const counting =
  (calls: string[], seen: (name: string, returned: unknown) => void = () => undefined) =>
  (storage: Storage): Storage =>
    new Proxy(storage, {
      get(target, name) {
        const store = Reflect.get(target, name)
        if (typeof store === 'function') return store.bind(target)
        if (typeof store !== 'object') return store
        return new Proxy(store, {
          get(inner, method) {
            const work = Reflect.get(inner, method)
            return (...args: unknown[]) => {
              calls.push(`${String(name)}.${String(method)}`)
              const returned = work.apply(inner, args)
              seen(`${String(name)}.${String(method)}`, returned)
              return returned
            }
          },
        })
      },
    })
