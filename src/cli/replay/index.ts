/** `site-api replay`: sends the requests of a recording to a copy of its site, and compares the answers. */

import { createJournaledApi } from '../../host/create-site-api.ts'
import { dryMedia } from '../../host/dry-services.ts'
import { createHttpClient } from '../../services/http-client/index.ts'
import { isStored, type Media, openStored } from '../../services/media.ts'
import { CliError, type Command, required, storageOption, UsageError } from '../command.ts'
import { profiles } from '../profiles.ts'
import { openStorage } from '../storage.ts'
import { uploadsOf } from '../uploads.ts'
import { Replay, type ReplayReport } from './replay.ts'

/**
 * Reads the files that the site had when the recording began (`began`, milliseconds since 1970), and writes to memory: the recorded site has
 * written later files, or goes on to do so.
 */
function replayedUploads(storage: string, began: number): Media {
  const media = uploadsOf(storage)
  const open = async (path: string) => {
    const file = await openStored(media, path)
    return file && (file.modified ?? 0) < began ? file : undefined
  }
  const then: Media = {
    write: (path, bytes, type) => media.write(path, bytes, type),
    remove: (path) => media.remove(path),
    addressOf: (path) => media.addressOf(path),
    read: async (path) => ((await open(path)) ? media.read(path) : undefined),
    has: async (path) => (await isStored(media, path)) && (await open(path)) !== undefined,
    open,
  }
  // A dry run keeps its files in memory as well.
  return dryMedia(then, () => undefined)
}

export const replay: Command = {
  name: 'replay',
  takes: 'FILE',
  summary: 'Send the requests of a recording to a copy of its site, which they change, and compare the answers.',
  options: {
    storage: { ...storageOption, says: 'A copy of the site as it was when the recording began' },
    profile: { value: 'd1|d2|content|full', says: 'The features of the API; without it those of the recording' },
  },
  positionals: 1,
  examples: ['replay requests.jsonl --storage sqlite:copy.db'],
  async run(line) {
    const [file = ''] = line.positionals
    const storageText = required(line, 'storage', 'sqlite:copy.db')
    const replayed = await openRecording(file)
    const { head } = replayed
    const name = line.options['profile'] ?? head.profile
    const profile = Object.hasOwn(profiles, name) ? profiles[name as keyof typeof profiles] : undefined
    if (!profile)
      throw new UsageError(`there is no profile ${name} here: name the nearest with --profile d1|d2|content|full`)
    const storage = await openStorage(storageText, { mustExist: true })
    // No other server is asked.
    const services = {
      media: replayedUploads(storageText, head.began ?? 0),
      outbound: createHttpClient({ allow: () => false }),
    }
    const api = createJournaledApi({ ...head.options, storage, profile, services }, () => replayed.journal)
    const print = (text: string) => void process.stdout.write(`${text}\n`)
    print(`recorded by site-api ${head.version} with the profile ${head.profile}`)
    if (head.leftOut.length > 0) print(`without these options of the host: ${head.leftOut.join(', ')}`)
    try {
      const report = await replayed.run((count) => void (count % 1000 === 0 && print(`${count} requests ...`)))
      for (const text of linesOf(report)) print(text)
      if (!isEqual(report)) throw new CliError('the replay differs from the recording')
    } finally {
      await api.close()
    }
  },
}

async function openRecording(file: string): Promise<Replay> {
  try {
    return await Replay.open(file)
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : `${file} can not be read`)
  }
}

const isEqual = ({ differences, after = [] }: ReplayReport): boolean =>
  differences.every(({ mayBeSecret }) => mayBeSecret) && after.length === 0

const maxListed = 20

function linesOf({ requests, leftOut, differences, before, after }: ReplayReport): string[] {
  const listed = differences.slice(0, maxListed).map(({ n, request, says, mayBeSecret }) => {
    const note = mayBeSecret ? ' (it sent a secret, which the recording leaves out)' : ''
    return `  ${n}  ${request}: ${says}${note}`
  })
  const equal = requests - leftOut - differences.length
  return [
    ...(before.length > 0
      ? [
          `the copy was another site when the recording began: ${before.join(', ')} differ. Take the copy before it begins`,
        ]
      : []),
    ...listed,
    ...(differences.length > maxListed ? [`  and ${differences.length - maxListed} more`] : []),
    `${requests} requests: ${equal} answered as recorded, ${differences.length} otherwise, ${leftOut} not sent`,
    after === undefined
      ? 'the recording has no end: its process was killed, so that the site at the end is not compared'
      : after.length === 0
        ? 'the site at the end: as recorded'
        : `the site at the end differs: ${after.join(', ')}`,
  ]
}
