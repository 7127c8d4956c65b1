/** The arguments of the search. */
import { int, list, oneOf, paging, search } from '../../../core/declare/args.ts'

const ids = (description: string) => list(int(), { default: [], description })

/** `subtypes`: the content types and taxonomies that the search knows. */
export const searchArgs = (subtypes: readonly string[]) => ({
  context: oneOf(['view', 'embed'], { default: 'view', description: 'Both have the same members.' }),
  ...paging(),
  search: search(),
  type: oneOf(['post', 'term', 'post-format'], { default: 'post', description: 'What kind of things to find.' }),
  subtype: list(oneOf([...subtypes, 'any']), {
    default: 'any',
    description: 'The content types or taxonomies to search; those of another kind are ignored.',
  }),
  exclude: ids('Leaves out the results with these IDs.'),
  include: ids('Finds only results with these IDs.'),
})
