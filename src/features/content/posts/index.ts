/** Posts; their revisions and autosaves are features of their own. */
import { feature } from '../../../core/declare/feature.ts'
import { contributionsOf, postParts } from './content-type.ts'
import { embeddedRecords, recordEmbedder } from './embeds.ts'
import { publishScheduled } from './schedule.ts'
import { trashWithUser } from './write.ts'

export const posts = feature('posts', 'cms/v2', postParts.records, {
  embedders: [...embeddedRecords, recordEmbedder(postParts.type)],
  scheduledTask: publishScheduled,
  hooks: trashWithUser(postParts.type),
  contributes: contributionsOf(postParts.type),
})
