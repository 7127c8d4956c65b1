/** The options that a setting is read from, by the name of the setting. */
import type { Settings } from '../../site/settings.ts'
import { allSettings, optionTag } from './tag-names.ts'

const optionsOf: { readonly [S in keyof Settings]?: readonly string[] } = {
  url: ['url'],
  home: ['url', 'home'],
  apiRoot: ['url'],
  time: ['timezone_string', 'gmt_offset'],
  timeZone: ['timezone_string'],
  gmtOffset: ['gmt_offset'],
  documentLinks: [],
  // Values that are kept with it hand over their own tags.
  generation: [],
}

/** Settings that are written like their option. */
const plainNames: ReadonlySet<string> = new Set<keyof Settings>([
  ...(['name', 'description', 'language', 'permalink', 'showOnFront', 'pageOnFront', 'pageForPosts'] as const),
  ...(['defaultCategory', 'defaultCommentStatus', 'defaultPingStatus', 'templates', 'pageTemplates'] as const),
  ...(['siteLogo', 'siteIcon', 'useSmilies', 'roles'] as const),
])

const known = new Map<string, readonly string[]>()

function tagsOfSetting(name: string): readonly string[] {
  const tags = known.get(name) ?? tagsOf(name)
  // The names are those of the settings, so the map is bounded.
  known.set(name, tags)
  return tags
}

function tagsOf(name: string): readonly string[] {
  // The cast: any other name has no entry.
  const options = optionsOf[name as keyof Settings]
  if (options && Object.hasOwn(optionsOf, name)) return options.map(optionTag)
  if (!plainNames.has(name)) return [allSettings]
  return [optionTag(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))]
}

/** Returns the settings as an object that hands over the tags of each setting that is read. */
export function settingTags(settings: Settings, add: (tags: readonly string[]) => void): Settings {
  const options = new Proxy(settings.options, {
    get: (target, name) => {
      if (typeof name === 'string') add([optionTag(name)])
      return Reflect.get(target, name) as unknown
    },
  })
  return new Proxy(settings, {
    get: (target, name) => {
      if (name === 'options') return options
      if (typeof name === 'string') add(tagsOfSetting(name))
      return Reflect.get(target, name) as unknown
    },
  })
}
