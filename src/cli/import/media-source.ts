/** Parses `--media`, and reads the files of media from a copy of the uploads of the old site. */
import { createReadStream, statSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { ImportedFileSource } from '../../management/import/media/index.ts'
import { CliError, type CommandLine, UsageError } from '../command.ts'

/** The export, and where the files of its media come from: `--media folder` makes the folder a second argument. */
export function importSources({ options: { media }, positionals }: CommandLine): {
  readonly from: string
  readonly media?: ImportedFileSource
} {
  const [first = '', second] = positionals
  if (media === 'folder') {
    if (second === undefined) throw new UsageError('--media folder needs the folder: --media folder DIR')
    const [folder, from] = isFolder(first) && !isFolder(second) ? [first, second] : [second, first]
    if (!isFolder(folder)) throw new CliError(`there is no folder ${folder}`)
    return { from, media: uploadsIn(folder) }
  }
  if (second !== undefined) throw new UsageError(`${second} is one argument too many: a folder needs --media folder`)
  if (media === undefined) return { from: first }
  if (media === 'fetch' || media === 'link') return { from: first, media }
  throw new UsageError(`--media must be fetch, link or folder DIR, not ${media}`)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The folder of the uploads in a copy, which may be a copy of them, of their parent, or of the whole site. */
const places = ['', 'uploads', join('wp-content', 'uploads'), 'wp-content']

function uploadsIn(folder: string): ImportedFileSource {
  return {
    async open(path) {
      const root = await realpath(folder)
      for (const place of places) {
        const file = await fileBelow(root, join(root, place, path))
        if (file !== undefined) return createReadStream(file)
      }
      return undefined
    },
  }
}

/** Paths come from the export: neither `..` nor a link may lead out of the folder. */
async function fileBelow(root: string, path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return real.startsWith(root + sep) && (await stat(real)).isFile() ? real : undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A path with a NUL, or a name that no file can have.
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE'].includes(`${code}`)) return undefined
    throw error
  }
}
