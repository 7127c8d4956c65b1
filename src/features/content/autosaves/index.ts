/** The autosaves of posts. */
import { feature } from '../../../core/declare/feature.ts'
import { postParts, postPartsIn } from '../posts/content-type.ts'

export const autosaves = feature('autosaves', 'cms/v2', postParts.autosaves, {
  completed: (read) => postPartsIn(read).autosaves,
})
