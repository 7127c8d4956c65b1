/** Pictures of initials, for users and for visitors who comment. They follow from the address alone, so nothing is read. */
import { oneOf, required, str } from '../../../core/declare/args.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { anyone } from '../../../core/declare/permissions.ts'
import { nonJsonBody } from '../../../core/declare/response-schema.ts'
import { result, Stream } from '../../../core/declare/result.ts'
import { escapeHtml } from '../../../core/runtime/escape-html.ts'
import { avatarPath, avatarSizes } from '../../../site/comments/avatar-address.ts'

const sizes = avatarSizes.map(String) as readonly `${(typeof avatarSizes)[number]}`[]

const svgType = 'image/svg+xml; charset=UTF-8'

/** An avatar runs no script, and caches may keep it: it depends on nothing but the letters in its address. */
const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
}

export const avatars = feature('avatars', '', [
  endpoint({
    path: `${avatarPath}/${parameter('initials', '[^/]+')}`,
    methods: ['GET'],
    unlisted: true,
    summary: 'Draw the initials of a user',
    args: {
      initials: required(str({ description: 'At most two letters are drawn.' })),
      s: oneOf(sizes, { default: '96', description: 'The width in pixels.' }),
    },
    permission: anyone,
    responses: { 200: nonJsonBody(svgType) },
    handler: ({ args }) => {
      const letters = [...args.initials].filter((letter) => /\p{L}/u.test(letter)).slice(0, 2)
      return result(new Stream(drawn(letters.join(''), args.s), svgType), { headers })
    },
  }),
])

const drawn = (letters: string, size: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="${size}" height="${size}"><rect width="96" height="96" fill="#ccd3d9"/><text x="48" y="62" font-size="40" font-family="sans-serif" text-anchor="middle" fill="#33414d">${escapeHtml(letters)}</text></svg>`
