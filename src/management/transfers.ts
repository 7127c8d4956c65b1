/** Seeds, exports, imports and kits, as one value that an application without them leaves out. */
import { exportSite, exportStream } from './transfer/export.ts'
import { seed } from './transfer/seed.ts'

export const transfers = {
  ...{ seed, exportSite, exportStream },
  // Loaded on use: few processes import.
  importers: () => import('./import/index.ts'),
  restImporter: () => import('./import/rest/index.ts'),
}

export type Transfers = typeof transfers
