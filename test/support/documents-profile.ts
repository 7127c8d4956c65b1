/** Profile `full` with what hosts add for an editor of documents: their routes, and what front ends of today ask for. */
import { documentFeatures } from '../../src/features/builder/site-documents/index.ts'
import { kitFeatures } from '../../src/features/builder/site-kits/index.ts'
import { full, profile, withCurrentClients } from '../../src/index.ts'

export const withDocuments = profile({
  ...full,
  name: 'with-documents',
  features: [...withCurrentClients(full.features), ...documentFeatures, ...kitFeatures],
})
