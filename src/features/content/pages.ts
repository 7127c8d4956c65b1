/** Pages: they have parents, places among their siblings and templates of their own. */
import { pageType } from './content-types/model.ts'
import { contentTypeFeature } from './posts/content-type.ts'

export const pages = contentTypeFeature(pageType)
