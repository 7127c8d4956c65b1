/** The revisions of posts. */
import { feature } from '../../../core/declare/feature.ts'
import { postParts } from '../posts/content-type.ts'

export const revisions = feature('revisions', 'cms/v2', postParts.revisions)
