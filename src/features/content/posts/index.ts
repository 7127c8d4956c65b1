/** Posts; other features have their revisions and autosaves. */
import { feature } from '../../../core/declare/feature.ts'
import { persistedOldSlugs, removeOldSlugs, storeOldSlug } from '../../shared/old-slugs.ts'
import { storedTexts } from '../../shared/references/element-references.ts'
import { searchTextsOption, writeSearchTexts } from '../../shared/search-text.ts'
import { contributionsOf, postParts, postPartsIn } from './content-type.ts'
import { embeddedRecords, recordEmbedder } from './embeds.ts'
import { nextDueTime, publishScheduled, updateNextDue } from './schedule.ts'
import { trashWithUser } from './write.ts'

export const posts = feature('posts', 'cms/v2', postParts.records, {
  isHistorical: true,
  embedders: [...embeddedRecords, recordEmbedder(postParts.type)],
  scheduledTask: [publishScheduled, writeSearchTexts],
  // A copy of the site looks at its own rows.
  persisted: {
    options: [nextDueTime, { name: searchTextsOption }],
    collections: [persistedOldSlugs],
    textReferences: storedTexts,
  },
  // Records of all types have the events of posts.
  hooks: {
    ...trashWithUser(postParts.type),
    'post.created': ({ post }, context) => (post.status === 'future' ? updateNextDue(context, post) : undefined),
    'post.updated': async (change, context) => {
      await storeOldSlug(change, context)
      await updateNextDue(context, change.post)
    },
    'post.deleted': removeOldSlugs,
  },
  completed: (read) => postPartsIn(read).records,
  contributes: contributionsOf(postParts.type),
})
