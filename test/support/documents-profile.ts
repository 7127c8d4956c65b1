/** Profile `full` with the routes of documents, which no profile of the package has. */
import { documentFeatures } from '../../src/features/builder/site-documents/index.ts'
import { full, profile } from '../../src/index.ts'

export const withDocuments = profile({
  ...full,
  name: 'with-documents',
  features: [...full.features, ...documentFeatures],
})
