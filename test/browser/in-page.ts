/**
 * Functions that run inside a page of the browser. Each is sent there as source, so it uses nothing from outside itself.
 */

interface Purifier {
  sanitize(html: string): string
}

declare global {
  interface Window {
    DOMPurify: Purifier
    fire: (index: number) => void
  }
}

/**
 * Lists what a browser would run or load as a script after `innerHTML`: event attributes, elements that run, embed or
 * submit, and script addresses. The tree is also written and read again, since some trees change thereby.
 */
export function activeParts(markups: readonly string[]): { readonly index: number; readonly found: string[] }[] {
  const running =
    /^(?:script|style|iframe|frame|frameset|embed|applet|base|link|meta|form|svg|template|noscript|portal|foreignobject|animate|set|use|input|select|body|html|head)$/i
  const runs = (address: string) => {
    const url = URL.canParse(address, 'https://base.example/') ? new URL(address, 'https://base.example/') : undefined
    return url !== undefined && /^(?:javascript|vbscript|data|blob|filesystem|about):$/.test(url.protocol)
  }
  const inAttribute = (name: string, value: string): readonly string[] => {
    const isNamed = /^on/i.test(name) || /^(?:srcdoc|srcset|formaction|action|is|ping|manifest|background)$/i.test(name)
    const isAddress = /^(?:href|src|data|poster|cite|longdesc|usemap|xlink:href)$/i.test(name)
    const isScriptedStyle =
      name === 'style' &&
      /url\(\s*['"]?\s*(?:javascript|vbscript|data):|expression\s*\(|-moz-binding|behavior/i.test(value)
    return [
      ...(isNamed ? [`attribute ${name}`] : []),
      ...(isAddress && runs(value) ? [`address ${value}`] : []),
      ...(isScriptedStyle ? [`style ${value}`] : []),
    ]
  }
  const inElement = (element: Element): readonly string[] => [
    ...(running.test(element.localName) ? [`element ${element.localName}`] : []),
    ...(element.localName === 'object' && element.hasAttribute('data') ? ['object with data'] : []),
    ...[...element.attributes].flatMap(({ name, value }) => inAttribute(name, value)),
  ]
  const partsOf = (html: string) => {
    const holder = document.createElement('template')
    holder.innerHTML = html
    return [...holder.content.querySelectorAll('*')].flatMap(inElement)
  }
  return markups.flatMap((html, index) => {
    const holder = document.createElement('template')
    holder.innerHTML = html
    const found = [...partsOf(html), ...partsOf(holder.innerHTML)]
    return found.length === 0 ? [] : [{ index, found }]
  })
}

/**
 * Renders each markup as a separate document and uses it: every element is hovered, focused, clicked and toggled. Gives
 * the index of each whose document called `fire`. Links are followed when they lead to a script only.
 */
export async function firings(markups: readonly string[]): Promise<number[]> {
  const fired: number[] = []
  window.fire = (index) => fired.push(index)
  const isScript = (element: Element) => {
    const { href } = element as HTMLAnchorElement
    const address = typeof href === 'string' ? href : (element.getAttribute('xlink:href') ?? '')
    return /^\s*(?:javascript|vbscript):/i.test(address)
  }
  const types = ['mouseover', 'focus', 'toggle', 'beforetoggle', 'animationstart', 'transitionend', 'close']
  const interactWith = (element: Element) => {
    for (const type of types) element.dispatchEvent(new Event(type))
    element.addEventListener('click', (event) => !isScript(element) && event.preventDefault())
    if ('click' in element && typeof element.click === 'function') element.click()
  }
  const render = (html: string, index: number) =>
    new Promise<void>((resolve) => {
      const frame = document.createElement('iframe')
      const finish = () => {
        for (const element of frame.contentDocument?.querySelectorAll('body *') ?? []) interactWith(element)
        // Errors of pictures and script addresses of links arrive as separate tasks.
        const channel = new MessageChannel()
        let left = 5
        channel.port1.onmessage = () => {
          if (left-- > 0) return channel.port2.postMessage('')
          frame.remove()
          resolve()
        }
        channel.port2.postMessage('')
      }
      frame.onload = finish
      frame.srcdoc = `<!doctype html><script>fire = () => parent.fire(${index})</script><body>${html}`
      document.body.append(frame)
    })
  // Several at once: each waits for its pictures to fail.
  const size = 25
  for (let from = 0; from < markups.length; from += size) {
    await Promise.all(markups.slice(from, from + size).map((html, at) => render(html, from + at)))
  }
  return fired
}
