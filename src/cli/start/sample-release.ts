/** The open release of the sample site, which people may try: it is read from a file and written by the routes of releases. */
import { readFileSync } from 'node:fs'
import type { SiteApi } from '../../host/create-site-api.ts'

/** Each text of the JSON of the record is replaced by the other one. */
type Replacements = readonly (readonly [from: string, to: string])[]

interface SampleRelease {
  readonly name: string
  readonly note: string
  readonly documents: readonly { readonly kind: string; readonly slug: string; readonly replace: Replacements }[]
  readonly colors: readonly { readonly id: string; readonly title: string; readonly value: string }[]
}

const routes = {
  releases: '/site-api/v1/releases',
  documents: '/site-api/v1/documents',
  colors: '/builder/v1/globals/colors',
}

// The cast: the file belongs to the package.
const readRelease = (file: URL) => JSON.parse(readFileSync(file, 'utf8')) as SampleRelease

/** Profiles without releases have a sample site without one. */
const hasReleases = ({ site }: SiteApi): boolean => 'releases' in site

/** Makes the release in a site that was just seeded. `as`: the id of an administrator. */
export async function makeSampleRelease(api: SiteApi, file: URL, as: number): Promise<void> {
  if (!hasReleases(api)) return
  const { name, note, documents, colors } = readRelease(file)
  // The texts of seeded documents are written by a task. Later they would be changes of the site beside those of the release.
  await api.site.runDue()
  const { data } = await api.call<{ id: number }>('POST', routes.releases, { name, note }, { as })
  const options = { as, release: data.id }
  for (const { kind, slug, replace } of documents) {
    const { data: found } = await api.call<{ id: number; slug: string }[]>(
      'GET',
      routes.documents,
      { kind, per_page: 100 },
      { as },
    )
    const path = `${routes.documents}/${found.find((one) => one.slug === slug)?.id}`
    const { data: document } = await api.call<{ elements: object[] }>('GET', path, {}, { as })
    await api.call('POST', path, { elements: replaced(document.elements, replace) }, options)
  }
  for (const { id, ...color } of colors) await api.call('POST', `${routes.colors}/${id}`, color, options)
}

function replaced<T extends object>(value: T, replacements: Replacements): T {
  let text = JSON.stringify(value)
  for (const [from, to] of replacements) {
    if (!text.includes(from)) throw new Error(`the sample site has no text ${from}`)
    text = text.replaceAll(from, to)
  }
  // The cast: texts have changed, and lists have more entries.
  return JSON.parse(text) as T
}

interface OpenRelease {
  readonly id: number
  readonly name: string
  readonly state: string
}

/** Ends the preview of the last start, and makes another one. Returns no line where the release is not open any more. */
export async function previewLines(api: SiteApi, file: URL): Promise<readonly string[]> {
  if (!hasReleases(api)) return []
  const as = 'system'
  const { name } = readRelease(file)
  const { data: all } = await api.call<OpenRelease[]>('GET', routes.releases, { per_page: 100 }, { as })
  const release = all.find((one) => one.name === name && !['published', 'undone'].includes(one.state))
  if (!release) return []
  const path = `${routes.releases}/${release.id}/previews`
  const { data: previews } = await api.call<{ id: string; user: number }[]>('GET', path, {}, { as })
  // Those that people have made have a user.
  for (const { id } of previews.filter(({ user }) => user === 0)) await api.call('DELETE', `${path}/${id}`, {}, { as })
  const { data: preview } = await api.call<{ url: string }>('POST', path, {}, { as })
  return [`${preview.url} shows the open release "${name}"; ${new URL('?release=', preview.url)} shows the site again`]
}
