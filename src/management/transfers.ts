/** Seeds, exports, imports and kits, as one value that an application without them leaves out. */
import { exportSite, exportStream } from './transfer/export.ts'
import { seed } from './transfer/seed.ts'

export const transfers = {
  ...{ seed, exportSite, exportStream },
  // Loaded on use: few processes import.
  importers: async () => {
    const { exportKit, importSite } = await import('./import/index.ts')
    return { exportKit, importSite }
  },
  restImporter: async () => {
    const { importRest } = await import('./import/rest/index.ts')
    return { importRest }
  },
}

export type Transfers = typeof transfers
