/** The profiles that the command line serves, by name. */
import { content } from '../profiles/content.ts'
import { d1 } from '../profiles/d1.ts'
import { d2 } from '../profiles/d2.ts'
import { full } from '../profiles/full.ts'

export const profiles = { d1, d2, content, full }
