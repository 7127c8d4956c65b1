/** Pictures made for tests, and a site that takes them. */
import sharp from 'sharp'
import type { SiteUploads } from '../../../../src/features/content/media/management.ts'
import { content } from '../../../../src/profiles/content.ts'
import { createTestSite, type Received, type TestSite, type TestSiteOptions } from '../../../support/site.ts'

export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#2f6b4f' } })

export const bytesOf = async (image: ReturnType<typeof picture>, format: 'png' | 'jpeg' | 'webp' | 'avif' | 'gif') =>
  new Uint8Array(await image.toFormat(format).toBuffer())

export const mediaSite = (options: TestSiteOptions = {}): Promise<TestSite> =>
  createTestSite({ profile: content, ...options })

/** The cast: the profile has media. */
export const uploadsOf = (site: TestSite) => site.api.site.media as unknown as SiteUploads

interface SentFile {
  readonly as?: string | null
  readonly type?: string
  readonly query?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Sends a raw file. */
export async function upload(
  site: TestSite,
  name: string,
  bytes: Uint8Array | string,
  { as = 'edith', type = 'image/png', query = '', headers = {} }: SentFile = {},
): Promise<Received> {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('latin1')
  return sendUpload(site, as, Buffer.from(text, typeof bytes === 'string' ? 'utf8' : 'latin1'), query, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    ...headers,
  })
}

export async function uploadForm(site: TestSite, form: FormData, as: string | null = 'edith'): Promise<Received> {
  const request = new Request('http://x', { method: 'POST', body: form })
  return sendUpload(site, as, new Uint8Array(await request.arrayBuffer()), '', {
    'content-type': String(request.headers.get('content-type')),
  })
}

/** Sends a body with these headers alone. */
export async function sendUpload(
  site: TestSite,
  as: string | null,
  body: Uint8Array,
  query: string,
  headers: { readonly [name: string]: string },
): Promise<Received> {
  const { basic, baseUrl } = await import('../../../support/site.ts')
  const response = await site.api.fetch(
    new Request(`${baseUrl}${site.api.root}/cms/v2/media${query === '' ? '' : `?${query}`}`, {
      method: 'POST',
      headers: { ...(as === null ? {} : { authorization: basic(as) }), ...headers },
      body: body as BodyInit,
    }),
  )
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** A file as it is served. */
export async function fileAt(site: TestSite, address: string, init: RequestInit = {}): Promise<Response> {
  const { RequestIncoming } = await import('../../../../src/core/request/incoming.ts')
  const { toResponse } = await import('../../../../src/core/declare/result.ts')
  const path = new URL(address).pathname.slice(site.api.files.root.length)
  return toResponse(await site.api.files.handle(new RequestIncoming(new Request(address, init), path, '')))
}
