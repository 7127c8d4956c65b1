import type { NextConfig } from 'next'

const config: NextConfig = {
  // Loaded as published: bundling it has no benefit.
  serverExternalPackages: ['site-api'],
  basePath: process.env.BASE_PATH ?? '',
}

export default config
