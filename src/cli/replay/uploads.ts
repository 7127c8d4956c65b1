/** The files of a replay: those that the site had when the recording began are read; the replay writes to memory. */
import { dryMedia } from '../../host/dry-services.ts'
import { isStored, type Media, openStored } from '../../services/media.ts'
import { uploadsOf } from '../uploads.ts'

/** `began`: milliseconds since 1970. The recorded site has written later files, or goes on to do so. */
export function replayedUploads(storage: string, began: number): Media {
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
