import type { NextConfig } from 'next'

const config: NextConfig = {
  // Loaded as published: bundling it has no benefit, and sharp has a binary.
  serverExternalPackages: ['site-api', 'sharp'],
}

export default config
