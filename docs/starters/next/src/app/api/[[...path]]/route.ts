import { createNextHandlers } from 'site-api/next'
import { api } from '../../../site.ts'

const { revalidate } = api

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api, { revalidate })
