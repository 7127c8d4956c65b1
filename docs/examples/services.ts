/** Outside services that the host provides. */
import { createFeeds, createOAuth, createPackages, createSiteApi, d1, type Storage } from 'site-api'

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function createApi(storage: Storage, tell: (line: string) => void) {
  return createSiteApi({
    storage,
    profile: d1,
    url: 'https://example.com',
    services: {
      packages: createPackages([
        {
          kind: 'plugin',
          slug: 'assistant',
          name: 'Assistant',
          version: '1.2.0',
          install: ({ slug, to }) => tell(`${slug} ${to} is installed`),
          activate: ({ slug }) => tell(`${slug} is active`),
        },
      ]),
      connect: createOAuth({ issuer: 'https://accounts.example.com', client: { id: 'millbrook' } }),
      feeds: createFeeds({ news: () => [{ id: 'tides', title: 'Low tide on Sunday' }] }),
      render: {
        title: escaped,
        content: (raw: string) => `<pre>${escaped(raw)}</pre>`,
        excerpt: ({ excerpt }: { readonly excerpt: string }) => escaped(excerpt),
      },
    },
  })
}
