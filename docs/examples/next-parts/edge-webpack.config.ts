import type { NextConfig } from 'next'

type Found = (error?: Error, external?: string) => void
const withoutNode = ({ request }: { request?: string }, found: Found) =>
  request?.startsWith('node:') ? found(undefined, 'var {}') : found()

const config: NextConfig = {
  webpack(config, { nextRuntime }) {
    if (nextRuntime === 'edge') config.externals.unshift(withoutNode)
    return config
  },
}

export default config
