/** Creates and finds elements. Texts are set as text, never as markup. */

type Attributes = { readonly [name: string]: string | boolean | undefined }

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) created.setAttribute(key, '')
    else if (typeof value === 'string') created.setAttribute(key, value)
  }
  created.append(...children)
  return created
}

export function findElement<T extends Element>(within: ParentNode, selector: string): T {
  const first = within.querySelector<T>(selector)
  if (!first) throw new Error(`the page has no ${selector}`)
  return first
}
