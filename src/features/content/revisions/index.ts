/** The revisions of posts. */
import { feature } from '../../../core/declare/feature.ts'
import { postParts, postPartsIn } from '../posts/content-type.ts'

export const revisions = feature('revisions', 'cms/v2', postParts.revisions, {
  isHistorical: true,
  completed: (read) => postPartsIn(read).revisions,
})
