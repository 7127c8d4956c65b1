/** The values that the options of a site can mean. Every door checks them: the route, the host, site documents and imports. */
import { invalid, splitList, toBoolean, toInteger, toNumber } from '../contract/scalars.ts'
import type { Json } from '../contract/storage.ts'
import { postFormats } from './post-keys.ts'
import { createSiteTime } from './time-zone.ts'
import { isEmail } from './user-names.ts'

/** A rule of one option. Null, which removes the option, always passes. */
interface SettingRule {
  /** The end of the sentence `<name> must be …`. */
  readonly wanted: string
  holds(value: Json): boolean
  /** Reads a value that came as a text, or that a row holds in another type; `invalid` for one that can not be of the type. */
  read(value: Json): unknown
}

const toText = (value: Json) => (typeof value === 'string' ? value : invalid)

const whole = (from: number, to: number): SettingRule => ({
  wanted: `a whole number from ${from} to ${to}`,
  holds: (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
  read: toInteger,
})

const record: SettingRule = { ...whole(0, Number.MAX_SAFE_INTEGER), wanted: 'the ID of a record; 0: none' }

const choice: SettingRule = {
  wanted: 'true or false',
  holds: (value) => typeof value === 'boolean',
  read: toBoolean,
}

const areTexts = (value: Json) => Array.isArray(value) && value.every((name) => typeof name === 'string')

const names: SettingRule = {
  wanted: 'a list of texts',
  holds: areTexts,
  read: (value) => (typeof value === 'string' ? splitList(value) : areTexts(value) ? value : invalid),
}

const among = (...values: readonly string[]): SettingRule => ({
  wanted: `one of ${values.join(', ')}`,
  holds: (value) => typeof value === 'string' && values.includes(value),
  read: toText,
})

const text = (wanted: string, holds: (value: string) => boolean): SettingRule => ({
  wanted,
  holds: (value) => typeof value === 'string' && holds(value),
  read: toText,
})

/** The longest format that an administration offers has 20 characters. */
const maxFormatLength = 100

/** Letters of a date or time, words behind backslashes, digits, blanks and the signs between the parts of a date in any script. */
const formatPattern = /^(?:\\?[\p{L}\p{M}\p{N}]|[ \u00a0\u202f.,:;/|()[\]'’°·、@!+_–—-])+$/u
const formatLetters = { date: /[dDjlNSwzWFmMntLoYyU]|[cr]/, time: /[aABgGhHisveIOPTZuU]|[cr]/ }

const format = (kind: 'date' | 'time'): SettingRule =>
  text(
    `a format of a ${kind} with at most ${maxFormatLength} characters, without markup and addresses`,
    (value) =>
      value.length <= maxFormatLength &&
      formatPattern.test(value) &&
      !/\.\.|\/\//.test(value) &&
      formatLetters[kind].test(value.replace(/\\./gu, '')),
  )

/** Interface: `en_US`, `de_DE_formal`; an empty one is the default. */
const languagePattern = /^[a-z]{2,3}(?:[_-][A-Za-z0-9]{2,8}){0,3}$/

function isLanguage(value: string): boolean {
  if (value === '') return true
  if (value.length > 35 || !languagePattern.test(value)) return false
  const [code = ''] = value.split(/[_-]/, 1)
  // Three letters name also languages that the runtime has no name for.
  return code.length === 3 || new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code) !== undefined
}

const isAddress = (value: string) =>
  /^https?:\/\/[^\s<>"'`\\]+$/i.test(value) && value.length <= 2000 && URL.canParse(value)

const hasPath = (value: string) =>
  value === '' || (/^\/[^\s<>"'`\\?#]*$/.test(value) && value.length <= 200 && /\{(?:slug|id)\}/.test(value))

function isTimeZone(value: string): boolean {
  try {
    createSiteTime({ timeZone: value })
    return true
  } catch {
    return false
  }
}

const address = text('an address like https://example.com', (value) => value === '' || isAddress(value))

const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const roles: SettingRule = {
  wanted: 'an object of roles with their capabilities, such as { editor: { edit_posts: true } }',
  holds: (value) =>
    isMap(value) &&
    Object.values(value).every(
      (flags) => isMap(flags) && Object.values(flags).every((flag) => typeof flag === 'boolean'),
    ),
  // A site whose roles were stored before the rule keeps them.
  read: (value) => (isMap(value) ? value : invalid),
}

const rules: ReadonlyMap<string, SettingRule> = new Map([
  ['name', text('a text', () => true)],
  ['description', text('a text', () => true)],
  ['url', address],
  ['home', address],
  ['permalink', text('a path like /{year}/{slug}/ with {slug} or {id}', hasPath)],
  ['email', text('an e-mail address', (value) => value === '' || isEmail(value))],
  ['timezone_string', text('a time zone like Europe/Lisbon', isTimeZone)],
  [
    'gmt_offset',
    {
      wanted: 'a number of hours from -12 to 14, in quarters',
      holds: (value) => typeof value === 'number' && value >= -12 && value <= 14 && Number.isInteger(value * 4),
      read: toNumber,
    },
  ],
  ['date_format', format('date')],
  ['time_format', format('time')],
  ['start_of_week', whole(0, 6)],
  ['language', text('a language like en_US', isLanguage)],
  ['posts_per_page', whole(1, 100)],
  ['show_on_front', among('posts', 'page')],
  ['default_comment_status', among('open', 'closed')],
  ['default_ping_status', among('open', 'closed')],
  ['default_post_format', among('0', ...postFormats)],
  ['use_smilies', choice],
  ['anonymous_comments', choice],
  ['upload_path_by_month', choice],
  ['default_category', record],
  ['page_on_front', record],
  ['page_for_posts', record],
  ['site_logo', record],
  ['site_icon', record],
  ['roles', roles],
  ['templates', names],
  ['page_templates', names],
])

/** The names of the options that have a rule. */
export const settingNames: readonly string[] = [...rules.keys()]

/**
 * Returns a stored value in the type of its option: `'7'` is 7 for a number. Undefined for an option that was never set, and for a value
 * that can not be of the type. The values of options without a rule, which hosts and features keep too, are returned unchanged.
 */
export function storedSetting(option: string, stored: Json | undefined): Json | undefined {
  if (stored === undefined || stored === null) return undefined
  const rule = rules.get(option)
  const value = rule === undefined ? stored : rule.read(stored)
  // The cast: a scalar, or a list of texts.
  return value === invalid ? undefined : (value as Json)
}

/** Returns the value to store: that of `storedSetting`, and one that can not be of the type as it is, for `settingProblem`. */
export const typedSetting = (option: string, value: Json): Json => storedSetting(option, value) ?? value

/** Choice: an option takes only values that it can mean. Returns the rule that a value breaks, as `must be a whole number …`. */
export function settingProblem(option: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  const rule = rules.get(option)
  return rule === undefined || rule.holds(value) ? undefined : `must be ${rule.wanted}`
}
