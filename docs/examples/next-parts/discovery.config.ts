import { nextDiscovery } from 'site-api/next'

export default { ...nextDiscovery({ url: 'https://example.org', root: '/api' }) }
