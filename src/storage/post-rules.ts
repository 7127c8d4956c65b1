/** A rule of posts that our storages share. */

/**
 * The first version of a post whose id is given. The id may be that of a removed post, whose versions count from 1 on, and what was
 * cached of one of them must not be taken for the new row.
 */
export const versionOfGivenId = (): number => Date.now()
