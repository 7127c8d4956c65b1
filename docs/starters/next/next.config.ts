import type { NextConfig } from 'next'

const config: NextConfig = {
  // Loaded as published: bundling it has no benefit.
  serverExternalPackages: ['site-api'],
  // The addresses of the site end with a slash, or not: its permalinks say so.
  skipTrailingSlashRedirect: true,
}

export default config
