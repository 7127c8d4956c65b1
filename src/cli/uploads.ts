/** Keeps the uploaded files of a site for the command line. */
import { dirname, join } from 'node:path'
import { createMedia, type Media } from '../services/media.ts'

/** Puts uploads next to the SQLite file, or into the working directory for other storages. */
const uploadsFolder = (storage: string): string =>
  storage.startsWith('sqlite:') ? join(dirname(storage.slice('sqlite:'.length)), 'uploads') : 'uploads'

export const uploadsOf = (storage: string): Media => createMedia({ folder: uploadsFolder(storage) })
