/** Elements in one call each. Texts are set as texts, never as markup. */

type Attributes = { readonly [name: string]: string | boolean | undefined }

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '')
    else if (typeof value === 'string') made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

export function found<T extends Element>(within: ParentNode, selector: string): T {
  const first = within.querySelector<T>(selector)
  if (!first) throw new Error(`the page has no ${selector}`)
  return first
}
