/** Blocks: stored parts of contents, for people who write. Visitors do not see them. */
import { object, oneOf, required, str } from '../../core/declare/args.ts'
import { blockType } from './content-types/model.ts'
import { contentTypeFeature } from './posts/content-type.ts'

const entry = object(
  {
    key: required(str({ minLength: 1 })),
    title: str(),
    slug: str(),
    status: str(),
    author: str(),
    date: str(),
    content: str(),
    sync_status: oneOf(['', 'partial', 'unsynced']),
  },
  { additionalProperties: false },
)

interface BlockEntry {
  readonly key: string
  readonly sync_status?: string
}

export const blocks = contentTypeFeature(blockType, {
  persisted: {
    sections: [
      {
        member: 'blocks',
        entry,
        expand: ({ sync_status: syncStatus = '', ...block }: BlockEntry) => ({
          documents: [
            {
              ...block,
              kind: 'block',
              type: blockType.name,
              ...(syncStatus === '' ? {} : { meta: { cms_pattern_sync_status: syncStatus } }),
            },
          ],
        }),
      },
    ],
  },
})
