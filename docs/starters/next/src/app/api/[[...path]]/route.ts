import { createNextHandlers } from 'site-api/next'
import { api } from '../../../site.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api)
