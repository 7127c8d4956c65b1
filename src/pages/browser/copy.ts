/** Buttons that copy a text. */
import { element } from './elements.ts'

const shownMs = 2000

export function copyButton(text: () => string, name = 'Copy'): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, name)
  button.addEventListener('click', async () => {
    button.textContent = (await copied(text())) ? 'Copied' : 'Select the text to copy it'
    setTimeout(() => {
      button.textContent = name
    }, shownMs)
  })
  return button
}

/** Pages of insecure origins have no clipboard; there the selection of a text field is copied. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = element('textarea', { class: 'offscreen', 'aria-hidden': 'true', tabindex: '-1' })
    field.value = text
    document.body.append(field)
    const before = document.activeElement
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    if (before instanceof HTMLElement) before.focus()
    return isCopied
  }
}
