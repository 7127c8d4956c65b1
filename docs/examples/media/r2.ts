import { createMedia } from 'site-api'
import { type R2BucketBinding, r2Media } from 'site-api/media/r2'

export const mediaOf = (env: { readonly FILES: R2BucketBinding }) =>
  createMedia({ driver: r2Media(env.FILES), address: 'https://files.example.com' })
