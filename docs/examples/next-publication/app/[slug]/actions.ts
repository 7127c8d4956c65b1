'use server'

import { isApiError } from 'site-api'
import { api } from '../../site/api'

export interface Sent {
  readonly status: 'new' | 'published' | 'held' | 'refused'
  readonly message?: string
  /** The entered values; the form shows them again. */
  readonly values: { readonly author_name: string; readonly author_email: string; readonly content: string }
}

/** Comments as a visitor: the rules of the API decide, and whether it is shown at once. */
export async function comment(_: Sent, form: FormData): Promise<Sent> {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const values = { author_name: text('author_name'), author_email: text('author_email'), content: text('content') }
  try {
    const { data } = await api.call<{ readonly status: string }>('POST', '/cms/v2/comments', {
      post: Number(text('post')),
      ...values,
    })
    return {
      status: data.status === 'approved' ? 'published' : 'held',
      values: { ...values, content: '' },
    }
  } catch (error) {
    if (!isApiError(error)) throw error
    return { status: 'refused', message: error.message, values }
  }
}
