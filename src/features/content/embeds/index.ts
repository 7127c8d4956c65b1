/** oEmbed: embed data of the site's own posts for anyone, and of other sites for users who write. */
import { anything, bool, int, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { anyone, can } from '../../../core/declare/permissions.ts'
import { Stream } from '../../../core/declare/result.ts'
import { findEmbeddable, isSiteUrl, toUrl } from './model.ts'
import { proxiedEmbed } from './proxy.ts'
import { clampedWidth, embedSchema, embedView, proxiedEmbedSchema } from './view.ts'
import { type EmbedFields, toXml } from './xml.ts'

const url = required(str({ format: 'uri', description: 'The address of the page to embed.' }))

export const embeds = feature('embeds', 'oembed/1.0', [
  endpoint({
    path: '/embed',
    methods: ['GET'],
    args: {
      url,
      // Interface: `format` and `maxwidth` are not checked. Any other format means JSON, and a width is clamped.
      format: anything({ default: 'json' }),
      maxwidth: anything({ default: 600 }),
    },
    summary: 'Read the embed data of a post or page of this site',
    permission: anyone,
    cacheable: 'by-column',
    responses: { 200: embedSchema },
    handler: async (context) => {
      const fields = await siteEmbed(context, toUrl(context.args.url))
      return embedResponse(fields, context.args.format)
    },
  }),
  endpoint({
    path: '/proxy',
    methods: ['GET'],
    args: {
      url,
      format: oneOf(['json', 'xml'], { default: 'json', description: 'The form of the answer.' }),
      maxwidth: int({ default: 600, description: 'How wide the frame may be, in pixels.' }),
      maxheight: int({ description: 'How high the frame may be, in pixels.' }),
      discover: bool({
        default: true,
        description: 'Whether to ask the page itself when its provider is not known.',
      }),
    },
    summary: 'Read the embed data of any URL',
    permission: can('edit_posts'),
    responses: { 200: proxiedEmbedSchema },
    handler: async (context) => {
      const { args, settings } = context
      const url = toUrl(args.url)
      const isForeign = url !== undefined && isWeb(url) && !isSiteUrl(url, settings)
      const fields = await (isForeign ? proxiedEmbed(url, args, context) : siteEmbed(context, url))
      return embedResponse(fields, args.format)
    },
  }),
])

/** Longer URLs are never those of a page, but cost work. */
const maxUrlLength = 2048

const isWeb = ({ protocol, href }: URL) => /^https?:$/.test(protocol) && href.length <= maxUrlLength

type EmbedContext = Pick<Context, 'storage' | 'settings' | 'app'> & { readonly args: { readonly maxwidth: unknown } }

/** Reads the storage only: the site sends no request to itself. */
async function siteEmbed(context: EmbedContext, url: URL | undefined): Promise<EmbedFields | undefined> {
  if (!url || !isSiteUrl(url, context.settings)) return undefined
  const located = await findEmbeddable(url, context)
  return located && embedView(context, located, clampedWidth(context.args.maxwidth))
}

function embedResponse(fields: EmbedFields | undefined, format: unknown): EmbedFields | Stream {
  // Choice: also for a provider that fails, as recorded for one that cannot be reached; see proxy.ts.
  if (!fields) throw new ApiError('oembed_invalid_url', 'Not Found', 404)
  return format === 'xml' ? new Stream(toXml(fields), 'text/xml; charset=UTF-8') : fields
}
