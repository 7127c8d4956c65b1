/** Profile `full` with what hosts add for an editor of documents: what front ends of today ask for, and kits. */
import { kitFeatures } from '../../src/features/builder/site-kits/index.ts'
import { full, profile, withCurrentClients } from '../../src/index.ts'

export const withDocuments = profile({
  ...full,
  name: 'with-documents',
  features: [...withCurrentClients(full.features), ...kitFeatures],
})
