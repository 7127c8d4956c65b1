/** The built-in dynamic tags. Add a family here. */

import type { TagTable } from '../pass/pass.ts'
import { linkTags } from './links.ts'
import { peopleTags } from './people.ts'
import { postTags } from './post.ts'
import { siteTags } from './site.ts'

export const builtInTags: TagTable = { ...siteTags, ...postTags, ...peopleTags, ...linkTags }
