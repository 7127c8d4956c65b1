import { createMedia, type Media } from 'site-api'
import { s3Media } from 'site-api/media/s3'

const driver = s3Media({ url: 'https://s3.eu-central-1.amazonaws.com/files', accessKeyId: 'a', secretAccessKey: 'b' })
export const media: Media = createMedia({ driver, address: 'https://files.example.com' })
// @ts-expect-error the keys are missing
s3Media({ url: 'https://s3.eu-central-1.amazonaws.com/files' })
