/**
 * References between the entries of an import. Posts are named by their ids in the file, terms by their slugs and users by their
 * logins, and both also by their ids in the file. Every reference is accepted: its row may be in a later file.
 */
import type { Reference, ReferenceFinder } from '../../transfer/references.ts'

/** The reference that names a row by its id in the file. */
export const numbered = (kind: 'post' | 'term' | 'user', number: number): Reference =>
  kind === 'user' ? `user.#${number}` : `${kind}.${number}`

const postKinds = ['post', 'page', 'media', 'document']

export const fileReferences: ReferenceFinder = {
  has: () => true,
  find: (kind, key) => (postKinds.includes(kind) ? `post.${key}` : `${kind}.${key}`),
  findAny: (reference) => reference,
}
