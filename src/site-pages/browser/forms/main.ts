/** The script of pages with forms: it sends them without leaving the page, and shows one step at a time. */
import { sendForm } from './send.ts'
import { startSteps } from './steps.ts'

for (const form of document.querySelectorAll<HTMLFormElement>('form.builder-form')) {
  const steps = startSteps(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!steps || steps.isComplete()) void sendForm(form, steps)
  })
}
