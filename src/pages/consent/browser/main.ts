/** The script of the page that shows a new password: buttons that copy what the user enters into the application. */
import { copyButton } from '../../browser/copy.ts'

for (const input of document.querySelectorAll<HTMLInputElement>('input[readonly]')) {
  const { textContent: name = '' } = input.labels?.[0] ?? {}
  const button = copyButton(() => input.value)
  button.setAttribute('aria-label', `Copy ${name?.toLowerCase()}`)
  input.after(button)
}
