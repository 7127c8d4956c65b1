/** Checks what the page of a record loads: scripts from elsewhere, and how many bytes all of it has. */
import type { Check, CheckedSubject } from '../model.ts'
import { tagsIn } from './markup.ts'
import { patchOf, placeOf, quoted } from './stored.ts'

const originOf = ({ settings }: CheckedSubject): string => new URL(settings.home).origin

export const outsideScripts: Check = {
  code: 'outside-script',
  looksAt: 'page',
  find: async (subject) => {
    const page = await subject.page()
    if (!page) return []
    const sources = tagsIn(page.html, ['script']).flatMap(({ attributes, element }) => {
      const value = attributes.get('src') ?? ''
      if (value === '' || !URL.canParse(value, page.address)) return []
      return new URL(value, page.address).origin === originOf(subject) ? [] : [{ value, element }]
    })
    return [...new Map(sources.map((one) => [one.value, one])).values()].map(({ value }) => {
      const patch = patchOf(subject, `Takes away the script ${value}.`, {
        inHtml: new RegExp(
          `<script\\b[^<>]*\\bsrc=(["']?)${quoted(value)}\\1[^<>]*>(?:(?!<script\\b)[\\s\\S])*?</script>`,
          'gi',
        ),
        to: () => '',
      })
      return {
        ...{ severity: 'warning' as const, place: placeOf(subject, value), about: value },
        message: `The page runs a script from elsewhere: ${value}.`,
        ...(patch && { patch }),
      }
    })
  },
}

interface LoadedFile {
  readonly address: string
  readonly bytes: number
}

export const pageWeight: Check = {
  code: 'page-weight',
  looksAt: 'page',
  find: async (subject) => {
    const page = await subject.page()
    if (!page || !subject.site) return []
    const { pageBytes } = subject.bounds
    const own = new TextEncoder().encode(page.html).length
    const files = await filesOf(subject, page.html, page.address)
    const all = files.reduce((sum, { bytes }) => sum + bytes, own)
    if (all <= pageBytes) return []
    const [heaviest] = files.toSorted((a, b) => b.bytes - a.bytes)
    const most = heaviest ? `; the most has ${new URL(heaviest.address).pathname} (${kilobytes(heaviest.bytes)})` : ''
    const message = `The page loads ${kilobytes(all)}, more than ${kilobytes(pageBytes)}: HTML, sheets, scripts and pictures${most}.`
    return [{ severity: 'warning', message }]
  },
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000).toLocaleString('en')} kB`

/** The files of the site that the page loads at once; those of other sites are not asked for. */
async function filesOf(subject: CheckedSubject, html: string, base: string): Promise<LoadedFile[]> {
  const addresses = new Set<string>()
  for (const { name, attributes } of tagsIn(html, ['link', 'script', 'img'])) {
    const isLoaded = name !== 'link' || (attributes.get('rel') ?? '').toLowerCase() === 'stylesheet'
    const value = attributes.get(name === 'link' ? 'href' : 'src') ?? ''
    if (!isLoaded || value === '' || !URL.canParse(value, base)) continue
    const address = new URL(value, base)
    if (address.origin === originOf(subject)) addresses.add(address.href)
  }
  const files: LoadedFile[] = []
  for (const address of addresses) files.push({ address, bytes: (await subject.site?.bytesOf(address)) ?? 0 })
  return files
}
