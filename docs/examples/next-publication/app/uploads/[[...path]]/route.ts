/** The uploaded files, with ranges and validators. */
import { createNextHandlers } from 'site-api/next'
import { api } from '../../../site/api'

export const { GET, HEAD } = createNextHandlers(api.files)
