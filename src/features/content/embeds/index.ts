/** oEmbed: data of the site's own posts for everybody, and of other sites for those who write. */
import { anything, bool, int, oneOf, required, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { anyone, can } from '../../../core/declare/permissions.ts'
import { Stream } from '../../../core/declare/result.ts'
import { andThen, type MaybePromise } from '../../../core/runtime/maybe-promise.ts'
import { findEmbeddable, isSiteUrl, toUrl } from './model.ts'
import { proxiedEmbed } from './proxy.ts'
import { clampedWidth, embedSchema, embedView, proxiedEmbedSchema } from './view.ts'
import { type EmbedFields, toXml } from './xml.ts'

const url = required(str({ format: 'uri', description: 'The URL of the resource for which to fetch oEmbed data.' }))

export const embeds = feature('embeds', 'oembed/1.0', [
  endpoint({
    path: '/embed',
    methods: ['GET'],
    args: {
      url,
      // Interface: neither is checked. Any other format is JSON, and a width is held within its bounds.
      format: anything({ default: 'json' }),
      maxwidth: anything({ default: 600 }),
    },
    summary: 'Embed data of a post or page of this site',
    permission: anyone,
    responses: { 200: embedSchema },
    handler: (context) =>
      andThen(ownEmbed(context, toUrl(context.args.url)), (fields) =>
        embedResponse(fields, context.args.format === 'xml'),
      ),
  }),
  endpoint({
    path: '/proxy',
    methods: ['GET'],
    args: {
      url,
      format: oneOf(['json', 'xml'], { default: 'json', description: 'The oEmbed format to use.' }),
      maxwidth: int({ default: 600, description: 'The maximum width of the embed frame in pixels.' }),
      maxheight: int({ description: 'The maximum height of the embed frame in pixels.' }),
      discover: bool({
        default: true,
        description: 'Whether to perform an oEmbed discovery request for unsanctioned providers.',
      }),
    },
    summary: 'Embed data of any address',
    permission: can('edit_posts'),
    responses: { 200: proxiedEmbedSchema },
    handler: (context) => {
      const address = toUrl(context.args.url)
      const isForeign = address !== undefined && isWeb(address) && !isSiteUrl(address, context.settings)
      const found = isForeign ? proxiedEmbed(address, context.args, context) : ownEmbed(context, address)
      return andThen(found, (fields) => embedResponse(fields, context.args.format === 'xml'))
    },
  }),
])

/** Longer ones are nobody's page, but make work. */
const maxAddressLength = 2048

const isWeb = ({ protocol, href }: URL) => /^https?:$/.test(protocol) && href.length <= maxAddressLength

type EmbedContext = Pick<Context, 'storage' | 'settings' | 'app'> & { readonly args: { readonly maxwidth: unknown } }

/** Nothing of this site is ever asked over the network. */
function ownEmbed(context: EmbedContext, address: URL | undefined): MaybePromise<EmbedFields | undefined> {
  if (!address || !isSiteUrl(address, context.settings)) return undefined
  return andThen(findEmbeddable(address, context), (found) =>
    found ? embedView(context, found, clampedWidth(context.args.maxwidth)) : undefined,
  )
}

function embedResponse(fields: EmbedFields | undefined, isXml: boolean): EmbedFields | Stream {
  // Choice: also for a provider that fails, as recorded for one that cannot be reached; see proxy.ts.
  if (!fields) throw new ApiError('oembed_invalid_url', 'Not Found', 404)
  return isXml ? new Stream(toXml(fields), 'text/xml; charset=UTF-8') : fields
}
