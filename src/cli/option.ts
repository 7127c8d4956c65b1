/** `site-api option`: lists, reads, writes and removes the options of a site, such as its name and address. */

import { nearestName } from '../contract/nearest-name.ts'
import type { Json } from '../contract/storage.ts'
import type { SiteOptions } from '../management/options.ts'
import { settingNames } from '../site/setting-rules.ts'
import { CliError, type Command, dryRunOption, isDryRun, required, storageOption, UsageError } from './command.ts'
import { withSite } from './site.ts'
import { isMemory } from './storage.ts'

export const option: Command = {
  name: 'option',
  takes: '[NAME [VALUE]]',
  summary: 'List the options of a site; with NAME read one, with VALUE (a text, or JSON) write it.',
  options: {
    storage: storageOption,
    'dry-run': dryRunOption,
    remove: { says: 'Remove the option, so that it has its default again' },
  },
  positionals: [0, 2],
  examples: ['option name --storage sqlite:site.db', 'option posts_per_page 20 --storage sqlite:site.db'],
  async run(line) {
    const storage = required(line, 'storage', 'sqlite:site.db')
    if (isMemory(storage)) throw new UsageError('memory is empty here: use --storage sqlite:FILE')
    const [name, value] = line.positionals
    const isRemoved = line.options['remove'] !== undefined
    if (isRemoved && (name === undefined || value !== undefined)) {
      throw new UsageError('--remove needs a name and no value: site-api option NAME --remove')
    }
    const written = value === undefined ? undefined : jsonOf(value)
    const text = await withSite(
      storage,
      { mustExist: true, isDryRun: isDryRun(line), changes: 'few' },
      async ({ options }) => {
        if (name !== undefined) await checkName(options, name)
        return written !== undefined || isRemoved ? write(options, `${name}`, written ?? null) : read(options, name)
      },
    )
    process.stdout.write(`${text}\n`)
  },
}

/** Sites keep options of other names too, so that only a new name like that of a setting is a mistake. */
async function checkName(options: SiteOptions, name: string): Promise<void> {
  const meant = settingNames.includes(name) ? undefined : nearestName(name, settingNames)
  // A misspelled name has its first letter right: `theme`, which is near `home`, is another name.
  if (meant === undefined || meant[0] !== name[0]) return
  if (!Object.hasOwn(await options.read([name]), name))
    throw new UsageError(`there is no option ${name}: did you mean ${meant}?`)
}

/** A value that is no JSON is a text: `option name Harbour` needs no quotes. */
function jsonOf(value: string): Json {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

async function read(options: SiteOptions, name: string | undefined): Promise<string> {
  const values = await options.read(name === undefined ? undefined : [name])
  if (name === undefined) {
    return Object.entries(values)
      .map(([key, value]) => `${key}\t${JSON.stringify(value)}`)
      .join('\n')
  }
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined) throw new CliError(`there is no option ${name}: site-api option lists those that are set`)
  return JSON.stringify(value, null, 2)
}

async function write(options: SiteOptions, name: string, value: Json): Promise<string> {
  try {
    await options.write({ [name]: value })
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw new UsageError(error.message)
    throw error
  }
  return value === null ? `removed ${name}` : `${name}\t${JSON.stringify(value)}`
}
