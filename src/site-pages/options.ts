/** The options of `createSitePages`, with their defaults. */

import type { ChallengeDemand, ChallengeDemands } from '../features/builder/form-submissions/intake/gate.ts'
import type { SubmissionHandlerOptions } from '../features/builder/form-submissions/intake/handler.ts'
import { checkCaptcha } from './captcha.ts'
import { type PagesTheme, readTheme, type ThemeValues } from './theme/blocks/theme-values.ts'
import { englishWords, type Words } from './words.ts'

/** The options of the pages of a site. */
export interface SitePagesOptions {
  /** The language in which pages and dates are written (BCP 47). Default: that of the site's settings, else `en`. */
  readonly locale?: string
  /** Texts of the pages in another language. Default: English. */
  readonly words?: Partial<Words>
  /** The number of posts on each page of an archive. Default: the site's option `posts_per_page`, else 10. */
  readonly postsPerPage?: number
  /** Replaces the style sheet of the theme; false: none. Default: that of the theme. */
  readonly styleSheet?: string | false
  /**
   * The design of texts with blocks in the shape of `theme.json`: colours, gradients, fonts, spaces and widths (`settings`), and styles of
   * the page, of elements and of blocks (`styles`). Default: those of the theme.
   */
  readonly theme?: PagesTheme
  /** False: pages load no script. They are readable without it. Default: true. */
  readonly script?: boolean
  /** Trusted HTML at the end of each `head`. Default: none. */
  readonly head?: string
  /** `Cache-Control` of pages that every visitor may see. Default: `public, max-age=0, must-revalidate`. */
  readonly cacheControl?: string
  /** The name of a header with the tags of the records that a page shows, such as `Cache-Tag`. Default: none. */
  readonly cacheTags?: string
  /** The content security policy of pages; false: no header. Default: scripts of the site only. */
  readonly contentSecurityPolicy?: string | false
  /** How forms are received, as in `submissionHandler`. False: forms are not received. Default: the options below. */
  readonly forms?: SubmissionHandlerOptions | false
  /** False: the remediations of the site (`a11y/v1`) do not change its pages and feeds. Default: true. */
  readonly remediations?: boolean
  /**
   * Says who solves the challenge of the pages, besides senders of forms with a field for it: `true`, all senders of forms and
   * comments; `when-busy`, those to a form or post that gets many without it; `false`, no others. Default: `true` for comments,
   * `when-busy` for forms.
   */
  readonly challenge?: ChallengeDemand
  /** The path of style sheets and the script below home. Default: `/_pages`. */
  readonly assets?: string
}

export interface PagesOptions
  extends Omit<
    Required<SitePagesOptions>,
    'words' | 'theme' | 'postsPerPage' | 'cacheTags' | 'forms' | 'challenge' | 'styleSheet'
  > {
  /** Undefined: that of the theme. */
  readonly styleSheet: string | false | undefined
  /** Whether the host names the language; otherwise each visit has that of the site. */
  readonly hasLocale: boolean
  readonly words: Words
  readonly postsPerPage: number | undefined
  readonly cacheTags: string | undefined
  readonly theme: ThemeValues
  readonly forms: SubmissionHandlerOptions | false
  readonly challenge: ChallengeDemands
}

export const defaultCacheControl = 'public, max-age=0, must-revalidate'

/** Authors embed images, frames and sounds from any host; scripts come from the site only. */
const defaultPolicy = "script-src 'self'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'"

export function resolveOptions(given: SitePagesOptions): PagesOptions {
  const { locale = 'en', assets = '/_pages', postsPerPage, cacheTags } = given
  // An unknown language would fail in every request, so it is refused here.
  const [known] = Intl.getCanonicalLocales(locale)
  if (known === undefined) throw new TypeError(`locale must be a language like "en" or "de-CH", not "${locale}"`)
  if (!/^\/[\w.~-]+(?:\/[\w.~-]+)*$/.test(assets))
    throw new TypeError(`assets must be a path like /_pages, not "${assets}"`)
  if (postsPerPage !== undefined && !(Number.isSafeInteger(postsPerPage) && postsPerPage >= 1 && postsPerPage <= 100)) {
    throw new TypeError(`postsPerPage must be a number from 1 to 100, not ${postsPerPage}`)
  }
  if (cacheTags !== undefined && !/^[\w-]+$/.test(cacheTags)) {
    throw new TypeError(`cacheTags must be the name of a header, not "${cacheTags}"`)
  }
  checkCaptcha(given.forms === false ? undefined : given.forms?.captcha)
  return {
    locale: known,
    hasLocale: given.locale !== undefined,
    assets,
    postsPerPage,
    cacheTags,
    words: { ...englishWords, ...given.words },
    styleSheet: given.styleSheet,
    theme: readTheme(given.theme ?? {}),
    script: given.script ?? true,
    head: given.head ?? '',
    cacheControl: given.cacheControl ?? defaultCacheControl,
    contentSecurityPolicy: given.contentSecurityPolicy ?? defaultPolicy,
    forms: given.forms ?? {},
    challenge: readDemands(given.challenge),
    remediations: given.remediations ?? true,
  }
}

/** Returns the options of one visit. */
export const optionsFor = (options: PagesOptions, { language }: { readonly language: string }): PagesOptions =>
  options.hasLocale || language === '' ? options : { ...options, locale: localeOf(language) ?? options.locale }

/** Returns undefined for a stored value that is no language. */
function localeOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

function readDemands(given: ChallengeDemand | undefined): ChallengeDemands {
  if (given === undefined) return { forms: 'when-busy', comments: true }
  if ([true, false, 'when-busy'].includes(given)) return { forms: given, comments: given }
  throw new TypeError(`challenge must be true, false or "when-busy", not ${JSON.stringify(given)}`)
}
