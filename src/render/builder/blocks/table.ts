/** Lists the blocks of stored texts that show other rows. Add a family here, and its names to render/blocks/drawn-names.ts. */
import { lookupTable } from '../../../contract/lookup-table.ts'
import type { BlockTable } from '../pass/pass.ts'
import { commentBlocks } from './comments.ts'
import { listBlocks } from './lists.ts'
import { navigationBlocks } from './navigation.ts'
import { postBlocks } from './post.ts'
import { queryBlocks } from './query.ts'
import { siteBlocks } from './site.ts'

export const builtInBlocks: BlockTable = lookupTable({
  ...commentBlocks,
  ...listBlocks,
  ...navigationBlocks,
  ...postBlocks,
  ...queryBlocks,
  ...siteBlocks,
})
