import { createNextHandlers } from 'site-api/next'
import { api } from '../../../site/api'

const { revalidate } = api

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = createNextHandlers(api, { revalidate })
