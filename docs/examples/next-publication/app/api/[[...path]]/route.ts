/** The REST API of the site. */
import { createNextHandlers } from 'site-api/next'
import { api } from '../../../site/api'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
