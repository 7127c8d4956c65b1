/** Posts; other features have their revisions and autosaves. */
import { feature } from '../../../core/declare/feature.ts'
import { keepFormerSlugs, persistedFormerSlugs } from '../../shared/old-slugs.ts'
import { plainFormsOption, writePlainForms } from '../../shared/search-text.ts'
import { contributionsOf, postParts } from './content-type.ts'
import { embeddedRecords, recordEmbedder } from './embeds.ts'
import { publishScheduled } from './schedule.ts'
import { trashWithUser } from './write.ts'

export const posts = feature('posts', 'cms/v2', postParts.records, {
  embedders: [...embeddedRecords, recordEmbedder(postParts.type)],
  scheduledTask: [publishScheduled, writePlainForms],
  // A copy of the site looks at its own rows.
  persisted: { transientOptions: [plainFormsOption], collections: [persistedFormerSlugs] },
  // Records of all types have the events of posts.
  hooks: { ...trashWithUser(postParts.type), ...keepFormerSlugs },
  contributes: contributionsOf(postParts.type),
})
