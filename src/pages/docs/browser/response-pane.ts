/** The response of a request: status, time and size, headers, and a body that folds. Before a request: the example. */
import { copyButton } from '../../browser/copy.ts'
import { element } from '../../browser/elements.ts'
import { createJsonView } from './json-view.ts'
import { type Attempt, parseBody } from './request.ts'

/** Longer texts are cut; the copy button has the whole text. */
const maxShownCharacters = 200_000

interface ResponsePane {
  readonly view: HTMLElement
  readonly say: (text: string) => void
  readonly send: (attempt: Attempt) => Promise<void>
}

export function createResponsePane(route: HTMLElement): ResponsePane {
  const status = element('p', { role: 'status', class: 'status' })
  const rest = element('div', {}, ...exampleOf(route))
  const view = element(
    'section',
    { class: 'pane', 'aria-label': 'Response' },
    element('div', { class: 'bar' }, element('h3', {}, 'Response'), status),
    rest,
  )
  const say = (text: string, kind = '') => {
    status.textContent = text
    status.dataset.kind = kind
  }

  async function send({ url, ...init }: Attempt): Promise<void> {
    say('Waiting for the response…')
    rest.replaceChildren()
    const began = performance.now()
    try {
      const response = await fetch(url, { ...init, credentials: 'omit', cache: 'no-store', redirect: 'follow' })
      const text = await response.text()
      const ms = Math.round(performance.now() - began)
      say(`${response.status} ${response.statusText}`.trim(), response.ok ? 'good' : 'bad')
      status.append(element('span', {}, ` ${ms} ms · ${sizeOf(text)}`))
      rest.replaceChildren(
        ...bodyViews(text, response.headers.get('content-type') ?? ''),
        headersView(response.headers),
      )
      view.scrollIntoView({ block: 'nearest' })
    } catch {
      say('No response: the service cannot be reached from this page.', 'bad')
    }
  }

  return { view, say, send }
}

function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}

function exampleOf(route: HTMLElement): HTMLElement[] {
  const example = route.querySelector<HTMLElement>('.example')
  const text = example?.querySelector('code')?.textContent
  if (!text) return [element('p', { class: 'note' }, 'Send the request to see its response.')]
  const title = element('p', { class: 'note' }, `Example, status ${example?.dataset.status}`)
  return [title, ...bodyViews(text, 'application/json')]
}

function bodyViews(text: string, contentType: string): HTMLElement[] {
  if (text === '') return [element('p', { class: 'note' }, 'No body.')]
  const body = parseBody(text, contentType)
  // Focusable, because it scrolls.
  const region = element('div', { class: 'code', tabindex: '0', role: 'region', 'aria-label': 'Body' })
  if (!body) {
    region.append(element('pre', {}, shortened(text)))
    return [
      element(
        'p',
        { class: 'tools' },
        copyButton(() => text),
      ),
      region,
    ]
  }
  const json = createJsonView(body.value)
  region.append(json.view)
  const tools = [
    copyButton(() => JSON.stringify(body.value, null, 2)),
    tool('Fold all', () => json.foldAll(false)),
    tool('Unfold all', () => json.foldAll(true)),
  ]
  return [element('p', { class: 'tools' }, ...tools), region]
}

function tool(name: string, run: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'copy' }, name)
  button.addEventListener('click', run)
  return button
}

function headersView(headers: Headers): HTMLElement {
  const list = element('dl', { class: 'headers' })
  for (const [name, value] of headers) list.append(element('dt', {}, name), element('dd', {}, value))
  return element('details', { class: 'more' }, element('summary', {}, `${[...headers].length} headers`), list)
}

const shortened = (text: string) =>
  text.length > maxShownCharacters
    ? `${text.slice(0, maxShownCharacters)}\n… and ${text.length - maxShownCharacters} more characters`
    : text
