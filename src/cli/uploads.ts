/** Keeps the uploaded files of a site for the command line. */
import { dirname, join } from 'node:path'
import { createMedia, type Media } from '../services/media.ts'
import { memoryMedia } from '../services/media-driver.ts'
import { formOf } from './storage.ts'

/**
 * Puts uploads next to the SQLite file, or into the working directory for a server. Those of a storage in memory end with it, so each
 * call returns another store.
 */
export function uploadsOf(storage: string): Media {
  const form = formOf(storage)
  if (form.kind === 'postgres') return createMedia()
  if (form.kind === 'memory' || form.file === ':memory:') return createMedia({ driver: memoryMedia() })
  return createMedia({ folder: join(dirname(form.file), 'uploads') })
}
