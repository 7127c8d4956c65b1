/** A test site of profile D2 with a page that has one form, and the intake for it. */
import { expect, onTestFinished } from 'vitest'
import {
  type SubmissionHandlerOptions,
  submissionHandler,
} from '../../../../src/features/builder/form-submissions/intake/handler.ts'
import { d2 } from '../../../../src/profiles/d2.ts'
import { tokenBuckets } from '../../../../src/services/rate-limit.ts'
import type { Parsed } from '../../../support/parsed.ts'
import { createTestSite, type TestSiteOptions } from '../../../support/site.ts'
import { smallSite } from '../../../support/small-site.ts'
import { root } from './fixture.ts'

export const field = (custom_id: string, field_type: string, field_label: string, more: object = {}) => ({
  ...{ custom_id, field_type, field_label, _id: `x${custom_id}` },
  ...more,
})

/** The document of a page with a form that has these settings. */
export const formPage = (settings: object) => [
  {
    id: '476d0ce',
    elType: 'widget',
    widgetType: 'form',
    settings: { form_name: 'Contact', ...settings },
    elements: [],
  },
]

const pageOf = (elements: object) => ({
  key: 'contact',
  slug: 'contact',
  title: 'Contact',
  status: 'publish',
  author: 'editor',
  date: '2024-02-20T09:00:00',
  content: '',
  categories: [],
  meta: { _builder_edit_mode: 'builder', _builder_data: JSON.stringify(elements) },
})

export async function openForms(
  elements: object,
  options: SubmissionHandlerOptions = {},
  more: Omit<TestSiteOptions, 'seed'> = {},
) {
  const seed = {
    ...smallSite,
    options: { ...smallSite.options, name: 'Quay', admin_email: 'office@quay.example' },
    posts: [...smallSite.posts, pageOf(elements)],
  }
  const site = await createTestSite({ profile: d2, seed, ...more })
  onTestFinished(async () => {
    expect(site.failures).toEqual([])
    await site.dispose()
  })
  const limit = tokenBuckets({ capacity: 1000, perMinute: 1 })
  const handler = submissionHandler(site.api, { limit, ...options })
  const post = site.ids['post.contact'] as number
  const target = { post_id: post, element_id: '476d0ce' }
  const received = async (response: Response): Promise<{ readonly status: number; readonly body: Parsed }> => ({
    status: response.status,
    body: await response.json(),
  })
  const request = (body: BodyInit, headers: { readonly [name: string]: string } = {}) =>
    new Request('https://quay.example/submit', { method: 'POST', body, headers: { ...headers } })
  return {
    ...site,
    post,
    target,
    /** Sends values as JSON. */
    send: async (
      values: { readonly [field: string]: unknown },
      { headers = {}, others = {} }: { headers?: { readonly [name: string]: string }; others?: object } = {},
    ) => {
      const body = JSON.stringify({ ...target, ...others, fields: values })
      return received(await handler(request(body, { 'content-type': 'application/json', ...headers })))
    },
    sendForm: async (form: FormData, headers: { readonly [name: string]: string } = {}) => {
      for (const [name, value] of Object.entries(target)) if (!form.has(name)) form.append(name, String(value))
      return received(await handler(request(form, headers)))
    },
    /** Runs due tasks beside requests. */
    settled: () => site.api.site.runDue(),
    submissions: async () => (await site.as('ada')('GET', root, { query: { order: 'asc' } })).body.data as Parsed[],
    /** The log of the last submission. */
    log: async (): Promise<[name: string, label: string, status: string, log: string][]> => {
      const [{ id }] = (await site.as('ada')('GET', root)).body.data
      const { data } = (await site.as('ada')('GET', `${root}/${id}`)).body
      return data.form_actions_log.map(({ name, label, status, log }: Parsed) => [name, label, status, log ?? ''])
    },
  }
}
