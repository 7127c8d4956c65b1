import { createMedia, type MediaDriver } from 'site-api'
import { type R2BucketBinding, r2Media } from 'site-api/media/r2'

declare const bucket: R2BucketBinding
const driver: MediaDriver = r2Media(bucket)
export const media = createMedia({ driver })
// @ts-expect-error it takes a bucket
r2Media('files')
