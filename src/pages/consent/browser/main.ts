/** The script of the page that shows a new password: buttons that copy what the user enters into the application. */
import { copyButton } from '../../browser/copy.ts'

for (const input of document.querySelectorAll<HTMLInputElement>('input[readonly]')) {
  const name = input.labels?.[0]?.textContent ?? ''
  input.after(copyButton(() => input.value, `Copy ${name.toLowerCase()}`))
}
