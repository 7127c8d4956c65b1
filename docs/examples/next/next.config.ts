import type { NextConfig } from 'next'

const config: NextConfig = {
  // Loaded as it was published: nothing is gained by bundling it.
  serverExternalPackages: ['site-api'],
  basePath: process.env.BASE_PATH ?? '',
}

export default config
