/**
 * The site's settings, read from the options in storage and cached while `storage.changes()` returns the same token.
 */

import type { Changes, Json, Storage } from '../contract/storage.ts'
import type { DocumentLinks } from './document-links.ts'
import { defaultRoles, type Roles } from './roles.ts'
import { storedSetting } from './setting-rules.ts'
import { createSiteTime, type SiteTime } from './time-zone.ts'

/** The address of a site that none is given for: links in stored texts must not have it. */
export const unknownAddress = 'http://localhost'

/** The settings of the site, read from its options. */
export interface Settings {
  readonly name: string
  readonly description: string
  /** As in `en_US`; empty where none is stored. */
  readonly language: string
  /** Without a trailing slash, like all addresses here. */
  readonly url: string
  readonly home: string
  /** The url and the root. */
  readonly apiRoot: string
  readonly documentLinks: DocumentLinks
  readonly time: SiteTime
  readonly timeZone: string
  readonly gmtOffset: number | null
  /** A published post has this path below home, with placeholders such as `{slug}`. */
  readonly permalink: string
  readonly showOnFront: string
  readonly pageOnFront: number
  readonly pageForPosts: number
  readonly defaultCategory: number
  readonly defaultCommentStatus: string
  readonly defaultPingStatus: string
  /** The templates of posts. */
  readonly templates: readonly string[]
  readonly pageTemplates: readonly string[]
  /** Media ids; 0: none. */
  readonly siteLogo: number
  readonly siteIcon: number
  /** Whether faces typed with signs become emoji. */
  readonly useSmilies: boolean
  readonly roles: Roles
  /** The stored values of the options that features declare with `inSettings`, by name. */
  readonly options: { readonly [name: string]: Json }
  /** Changes with any of these settings that a response shows. Letters and digits. */
  readonly tag: string
  /** A number in this process that goes up whenever a setting changes that a response shows. */
  readonly generation: number
}

/** An option that a feature stores for itself. No site document contains it: it describes the running site, or it is secret. */
export interface FeatureOption {
  readonly name: string
  /** Read with the settings, as `settings.options[name]`. `shown`: responses depend on it, so a change makes new entity tags. */
  readonly inSettings?: 'shown' | 'hidden'
  /** True: a seed or an import removes it, and the feature computes it again from stored rows. */
  readonly isDerived?: boolean
}

const ownNames = [
  'name',
  'description',
  'language',
  'url',
  'home',
  'permalink',
  'timezone_string',
  'gmt_offset',
  'show_on_front',
  'page_on_front',
  'page_for_posts',
  'default_category',
  'default_comment_status',
  'default_ping_status',
  'templates',
  'page_templates',
  'site_logo',
  'site_icon',
  'use_smilies',
  'roles',
] as const

/** The names of the options that responses show through the settings, once each. */
export const shownOptions = (featureOptions: readonly FeatureOption[]): readonly string[] => {
  const shown = featureOptions.filter(({ inSettings }) => inSettings === 'shown')
  return [...new Set([...ownNames, ...shown.map(({ name }) => name)])]
}

export interface SettingsState {
  readonly settings: Settings
  /** `changes` of the storage; undefined where it has no token, as in a transaction. */
  readonly token: number | string | undefined
  /** All that the storage tells with the token. */
  readonly changes?: Changes | undefined
}

interface ChosenState extends SettingsState {
  readonly storage: Storage
}

type ReadChanges = Partial<Changes>

/** The values of the site that the host gives, besides the stored options. */
interface GivenSettings {
  readonly url?: string
  readonly root: string
  readonly documentLinks?: DocumentLinks
  /** Returns the settings for the reader of this storage, which may record each member that is read. */
  readonly recorded?: (settings: Settings, storage: Storage) => Settings
  /** Called once, with the first settings that are read. */
  readonly onFirst?: (settings: Settings) => void
}

/**
 * Reads the settings. `url` and `root` of the host win over stored options. The object stays identical while the options do, so that
 * derived values can be cached with it.
 */
export class SettingsReader {
  readonly #given: GivenSettings
  /** The names of features' options, once each: several features may declare the same one. */
  readonly #featureNames: readonly string[]
  readonly #shownNames: readonly string[]
  readonly #optionNames: readonly string[]
  /** The same object as long as nothing changes: on a storage with `changes` a request costs no new one. */
  #state: SettingsState | undefined
  #settings: Settings | undefined
  /** The token of the options at which the settings were read. */
  #optionsToken: SettingsState['token']
  #optionsText = ''
  /** The read that has begun: requests that come meanwhile, after a write, wait for it instead of reading too. */
  #reading: { readonly token: SettingsState['token']; readonly settings: Promise<Settings> } | undefined
  #shownText = ''
  #generation = 0

  constructor(given: GivenSettings, featureOptions: readonly FeatureOption[] = []) {
    this.#given = given
    const read = featureOptions.filter(({ inSettings }) => inSettings !== undefined)
    this.#featureNames = [...new Set(read.map(({ name }) => name))]
    this.#shownNames = shownOptions(featureOptions)
    this.#optionNames = [...new Set([...ownNames, ...this.#featureNames])]
  }

  /** Returns the settings that were read last, by whatever request; undefined before the first. */
  known(): Settings | undefined {
    return this.#settings
  }

  /** Returns the state without a promise, where the storage says at once that nothing has changed. */
  current(storage: Storage): SettingsState | undefined {
    const state = this.#state
    return state?.token !== undefined && state.token === storage.changes?.() ? state : undefined
  }

  async read(storage: Storage): Promise<Settings> {
    const { settings } = await this.readAt(storage)
    return this.#given.recorded?.(settings, storage) ?? settings
  }

  /** Returns the settings with the token at which they were read: nothing that a request reads later is older. */
  async readAt(storage: Storage): Promise<SettingsState> {
    const state = this.current(storage)
    if (state) return state
    return this.#readWith(storage, (await storage.readChanges?.()) ?? { all: storage.changes?.() })
  }

  /**
   * Chooses the storage of a request that only reads, and returns the settings there. `sent` is the header of the storage that the
   * request has.
   */
  async choose(storage: Storage, sent?: string): Promise<ChosenState> {
    if (!storage.requests) return { ...(await this.readAt(storage)), storage }
    const chosen = await storage.requests.choose(sent)
    return { ...(await this.#readWith(chosen.storage, chosen.changes)), storage: chosen.storage }
  }

  async #readWith(storage: Storage, changes: ReadChanges): Promise<SettingsState> {
    const { all: token, options: optionsToken = token } = changes
    const known = this.#settings
    if (known && optionsToken !== undefined && optionsToken === this.#optionsToken) return this.#stateOf(known, changes)
    const begun = optionsToken !== undefined && this.#reading?.token === optionsToken ? this.#reading : undefined
    const reading = begun ?? { token: optionsToken, settings: this.#readOptions(storage, optionsToken) }
    this.#reading = reading
    try {
      return this.#stateOf(await reading.settings, changes)
    } finally {
      this.#reading = undefined
    }
  }

  async #readOptions(storage: Storage, token: SettingsState['token']): Promise<Settings> {
    const options = await storage.options.read(this.#optionNames)
    const text = JSON.stringify(this.#optionNames.map((name) => options[name]))
    const known = this.#settings
    const isSame = known !== undefined && text === this.#optionsText
    const settings: Settings = isSame
      ? known
      : {
          ...toSettings(options, this.#given, known),
          options: Object.fromEntries(this.#featureNames.map((name) => [name, options[name] ?? null])),
          ...this.#versionOf(options),
        }
    this.#settings = settings
    this.#optionsText = text
    this.#optionsToken = token
    if (known === undefined) this.#given.onFirst?.(settings)
    return settings
  }

  #versionOf(options: Options): Pick<Settings, 'tag' | 'generation'> {
    const now = JSON.stringify(this.#shownNames.map((name) => options[name]))
    if (now !== this.#shownText) this.#generation++
    this.#shownText = now
    return { tag: shortDigest(now), generation: this.#generation }
  }

  #stateOf(settings: Settings, { all: token, ...rest }: ReadChanges): SettingsState {
    if (this.#state?.settings !== settings || this.#state.token !== token) {
      this.#state = { settings, token, changes: token === undefined ? undefined : { all: token, ...rest } }
    }
    return this.#state
  }
}

/** FNV-1a: enough for entity tags to distinguish two states of the settings. */
function shortDigest(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}

type Options = { readonly [name: string]: Json }

function toSettings(
  stored: Options,
  given: GivenSettings,
  before: Settings | undefined,
): Omit<Settings, 'options' | 'tag' | 'generation'> {
  const options = typedOptions(stored)
  const url = withoutSlash(given.url ?? (text(options.url) || unknownAddress))
  const home = given.url === undefined ? withoutSlash(text(options.home)) || url : url
  const timeZone = text(options.timezone_string)
  const gmtOffset = typeof options.gmt_offset === 'number' ? options.gmt_offset : null
  const sameTime = before?.timeZone === timeZone && before.gmtOffset === gmtOffset
  return {
    name: text(options.name),
    description: text(options.description),
    language: text(options.language),
    url,
    home,
    apiRoot: url + given.root,
    documentLinks: given.documentLinks ?? {},
    timeZone,
    gmtOffset,
    time: sameTime ? before.time : siteTime(timeZone, gmtOffset ?? 0),
    permalink: text(options.permalink, '/{slug}/'),
    showOnFront: text(options.show_on_front, 'posts'),
    pageOnFront: number(options.page_on_front),
    pageForPosts: number(options.page_for_posts),
    defaultCategory: number(options.default_category),
    defaultCommentStatus: text(options.default_comment_status, 'open'),
    defaultPingStatus: text(options.default_ping_status, 'open'),
    templates: texts(options.templates),
    pageTemplates: texts(options.page_templates),
    siteLogo: number(options.site_logo),
    siteIcon: number(options.site_icon),
    useSmilies: options.use_smilies !== false,
    roles: storedRoles(stored['roles']),
  }
}

/** The roles of a site; the default ones where none are stored. */
export const storedRoles = (stored: Json | undefined): Roles =>
  // The cast: the rule of the option lets only roles through.
  (storedSetting('roles', stored) as Roles | undefined) ?? defaultRoles

/** A row that SQL or an earlier version has written may hold a number or a choice as a text. */
const typedOptions = (stored: Options): { readonly [name in (typeof ownNames)[number]]?: Json | undefined } =>
  Object.fromEntries(ownNames.map((name) => [name, storedSetting(name, stored[name])]))

/** An unknown time zone must not take the site down: the fixed offset counts instead. */
function siteTime(timeZone: string, gmtOffset: number): SiteTime {
  try {
    return createSiteTime({ timeZone, gmtOffset })
  } catch {
    return createSiteTime({ timeZone: '', gmtOffset })
  }
}

const text = (value: Json | undefined, fallback = '') => (typeof value === 'string' ? value : fallback)
const texts = (value: Json | undefined) => (Array.isArray(value) ? value.map((one) => text(one as Json)) : [])
const number = (value: Json | undefined) => (typeof value === 'number' ? value : 0)
const withoutSlash = (url: string) => url.replace(/\/+$/, '')
