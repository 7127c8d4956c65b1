/** Rows with the defaults of their tables, to be spread before the values of a new row. */
import { postFields } from './posts.ts'
import { blankOf } from './stored-field.ts'
import { termFields } from './terms.ts'
import { userFields } from './users.ts'

export const blankPost = blankOf(postFields)
export const blankTerm = blankOf(termFields)
export const blankUser = blankOf(userFields)
