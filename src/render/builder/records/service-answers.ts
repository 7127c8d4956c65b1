/** Reads results of the host's services as records: the engine calls a service once per render and awaits it between passes. */
import type { MaybePromise } from '../../../contract/storage.ts'
import type { IconName } from '../../../site/icons.ts'
import { readMenuLinks } from '../../menu-links.ts'
import type { FeedEntry, HostServices, MenuItem } from './host-services.ts'
import type { RecordKind, RecordSource } from './records.ts'

type Ask<V> = (services: HostServices, key: string) => MaybePromise<V | undefined> | undefined

function answers<V>(name: string, ask: Ask<V>): RecordKind<string, V> {
  return {
    name,
    load: async (keys, { services }: RecordSource) => {
      const found = await Promise.all(keys.map(async (key) => ({ key, value: await ask(services, key) })))
      const values = new Map<string, V>()
      for (const { key, value } of found) if (value !== undefined) values.set(key, value)
      return values
    },
  }
}

/** The key is `<library> <value>`. */
export const icons = answers<string>('icons', ({ icon }, key) => {
  return icon?.(iconOf(key))
})

const iconOf = (key: string): IconName => {
  const at = key.indexOf(' ')
  return { library: key.slice(0, at), value: key.slice(at + 1) }
}

/** Holds the svg of an icon, or names the package to install for it. */
type SetIcon = { readonly svg: string } | { readonly missing: string }

/** The key is `<library> <value>`. The sets never change while a process runs. */
export const setIcons: RecordKind<string, SetIcon> = {
  name: 'icons of sets',
  isProgram: true,
  load: async (keys, { icons: sets }) => {
    const found = new Map<string, SetIcon>()
    for (const key of keys) {
      const icon = iconOf(key)
      const svg = await sets(icon)
      const missing = svg === undefined ? await sets.packageFor?.(icon) : undefined
      if (svg !== undefined) found.set(key, { svg })
      else if (missing !== undefined) found.set(key, { missing })
    }
    return found
  },
}

const hostMenus = answers<readonly MenuItem[]>('menus', ({ menu }, key) => menu?.(key))

/** Menus of the host; the stored menus of the site are read for the others. */
export const menus: RecordKind<string, readonly MenuItem[]> = {
  name: hostMenus.name,
  load: async (names, source) => {
    const given = await hostMenus.load(names, source)
    const open = names.filter((name) => !given.has(name))
    if (open.length === 0) return given
    const stored = await readMenuLinks({ storage: source.storage, settings: source.site }, open)
    return new Map([...stored, ...given])
  },
}

export const feeds = answers<readonly FeedEntry[]>('feeds', ({ feed }, key) => feed?.(key))
export const sidebars = answers<string>('sidebars', ({ sidebar }, key) => sidebar?.(key))
export const embeds = answers<string>('embeds', ({ embed }, key) => embed?.(key))

/** The key is `<post id> <key>`. */
export const fields = answers<string>('fields', ({ field }, key) => {
  const at = key.indexOf(' ')
  return field?.(Number(key.slice(0, at)), key.slice(at + 1))
})

/** The key is the JSON text of `[name, attributes, inner]`. */
export const shortcodeAnswers = answers<string>('shortcodes', ({ shortcode }, key) => {
  // The cast: `shortcodeKey` writes the key.
  const [name, attributes, inner] = JSON.parse(key) as [string, { readonly [name: string]: string }, string | null]
  return shortcode?.(name, attributes, inner ?? undefined)
})

export const shortcodeKey = (
  name: string,
  attributes: { readonly [name: string]: string },
  inner: string | undefined,
): string => JSON.stringify([name, attributes, inner ?? null])
