/** Pages have parents, places among their siblings, and templates. */
import { pageType } from './content-types/model.ts'
import { contentTypeFeature } from './posts/content-type.ts'

export const pages = contentTypeFeature(pageType)
