import providers from 'oembed-providers' with { type: 'json' }
import { expect, test } from 'vitest'
import { knownEndpoint } from '../../src/services/oembed-providers.ts'

test.each([
  ['https://www.youtube.com/watch?v=1', 'https://www.youtube.com/oembed'],
  ['https://youtube.com/watch?v=1', 'https://www.youtube.com/oembed'],
  ['http://youtu.be/1', 'https://www.youtube.com/oembed'],
  ['https://www.flickr.com/photos/a/1', 'https://www.flickr.com/services/oembed/'],
  ['https://www.youtube.com/feed', undefined],
  ['https://evilyoutube.com/watch?v=1', undefined],
  ['https://www.youtube.com.evil.example/watch?v=1', undefined],
  ['https://evil.example/www.youtube.com/watch', undefined],
])('finds for %s the endpoint %s', (url, endpoint) => {
  expect(knownEndpoint(new URL(url))).toBe(endpoint)
})

test('has the providers of the published list', () => {
  const listed = new Set(providers.flatMap(({ endpoints }) => endpoints.map(({ url }) => url)))
  const schemes = providers.flatMap(({ endpoints }) =>
    endpoints.flatMap((one) => ('schemes' in one ? one.schemes : [])),
  )
  const found = (schemes as string[])
    .filter((scheme) => /^https?:\/\/\S+$/.test(scheme))
    .map((scheme) => knownEndpoint(new URL(scheme.replaceAll('*', 'a'))))
  expect(found.filter((endpoint) => endpoint !== undefined && !listed.has(endpoint))).toEqual([])
  expect(found.filter((endpoint) => endpoint === undefined).length).toBeLessThanOrEqual(8)
})
