/** The settings of the old site, as far as they may be read and are settings here. */

import { lookupTable } from '../../../contract/lookup-table.ts'
import type { Json } from '../../../contract/storage.ts'
import { settingProblem, typedSetting } from '../../../site/setting-rules.ts'
import { type ManagementContext, postTypesOf } from '../../context.ts'
import { createOptions } from '../../options.ts'
import { importKey } from '../entries/posts.ts'
import { importedMeta } from '../imported-posts.ts'
import type { Warn } from '../report.ts'
import type { RestClient, RestObject } from './client.ts'
import { RestImportError } from './errors.ts'

/** By their names in answers. The address of the site is that of the program that serves it. */
const options: { readonly [name: string]: string } = lookupTable({
  title: 'name',
  ...own('description', 'email', 'date_format', 'time_format', 'start_of_week', 'language', 'use_smilies'),
  ...own('posts_per_page', 'show_on_front', 'default_ping_status', 'default_comment_status', 'default_post_format'),
})

/** The values of these settings are ids of posts. */
const references = ['page_on_front', 'page_for_posts', 'site_logo', 'site_icon']

function own(...names: readonly string[]): { readonly [name: string]: string } {
  return Object.fromEntries(names.map((name) => [name, name]))
}

/** Values that mean nothing here are left out and reported. */
export async function importSettings(context: ManagementContext, client: RestClient, warn: Warn): Promise<void> {
  const settings = await readSettings(client)
  if (settings === undefined) return
  const values: { [option: string]: Json } = {}
  for (const [name, option] of Object.entries(options)) {
    const value = settings[name]
    if (value !== undefined && value !== null) values[option] = typedSetting(option, value)
  }
  Object.assign(values, zoneOf(settings['timezone']), await referencesIn(context, settings))
  for (const [option, value] of Object.entries(values)) {
    if (settingProblem(option, value) === undefined) continue
    warn('invalid-setting', option)
    delete values[option]
  }
  await createOptions(context).write(values)
}

/** Undefined for a user who may not read them. */
async function readSettings(client: RestClient): Promise<RestObject | undefined> {
  try {
    return (await client.get('/settings')).body as RestObject
  } catch (error) {
    if (error instanceof RestImportError && error.status !== undefined) return undefined
    throw error
  }
}

function zoneOf(zone: Json | undefined): { readonly [option: string]: Json } {
  if (typeof zone !== 'string' || zone === '') return {}
  const offset = /^UTC([+-]\d{1,2}(?:\.\d{1,2})?)$/.exec(zone)?.[1]
  return offset === undefined ? { timezone_string: zone } : { timezone_string: '', gmt_offset: Number(offset) }
}

async function referencesIn(context: ManagementContext, settings: RestObject): Promise<{ [option: string]: Json }> {
  const wanted = new Map<number, string[]>()
  for (const name of references) {
    const number = Number(settings[name])
    if (number > 0) wanted.set(number, [...(wanted.get(number) ?? []), name])
  }
  const found: { [option: string]: Json } = {}
  if (wanted.size === 0) return found
  const types = postTypesOf(context).filter((type) => type === 'page' || type === 'attachment')
  for await (const window of importedMeta(context, [importKey], types)) {
    for (const { id, value } of window)
      for (const name of wanted.get(Number(String(value).split(' ', 1)[0])) ?? []) found[name] = id
  }
  return found
}
