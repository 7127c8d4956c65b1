/** Addresses of the pictures of initials, which the service draws. */
import type { User } from '../../contract/storage.ts'
import type { Settings } from '../settings.ts'

export const avatarSizes = [24, 48, 96] as const

/** Where the pictures are, below the root. */
export const avatarPath = '/avatars'

/** Returns the address of a picture; `size` is one of `avatarSizes`. */
export function avatarAddress(
  { displayName }: Pick<User, 'displayName'>,
  size: (typeof avatarSizes)[number],
  { apiRoot }: Pick<Settings, 'apiRoot'>,
): string {
  return `${apiRoot}${avatarPath}/${encodeURIComponent(initialsOf(displayName)) || '-'}?s=${size}`
}

/** The first letters of the first two words. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word))
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('')
