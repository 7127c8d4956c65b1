/** Checks the properties of every filtered text. The short run is in fuzz.test.ts, the long one in test/fuzz. */
import { filterContent, filterTitle } from '../../../src/render/filter/filter.ts'
import { violations } from './browser-view.ts'

const home = 'https://harbour.example'

/** Empty when the results are safe and filtering them again changes nothing; otherwise the broken promises. */
export function brokenPromises(html: string): string[] {
  return [...broken(html, 'content', (text) => filterContent(text, { home })), ...broken(html, 'title', filterTitle)]
}

function broken(html: string, list: 'content' | 'title', filter: (html: string) => string): string[] {
  const safe = filter(html)
  const second = filter(safe)
  const found = violations(safe, list).map((violation) => `${list}: ${violation}`)
  return second === safe ? found : [...found, `${list} changes: ${JSON.stringify(safe)} -> ${JSON.stringify(second)}`]
}
