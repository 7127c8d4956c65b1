/** The script of pages with forms: it sends them without leaving the page, shows one step at a time, and solves their challenges. */
import { proofOf, startChallenge } from './challenge.ts'
import { hiddenInput, sendForm } from './send.ts'
import { startSteps } from './steps.ts'
import { words } from './words.ts'

/** Pages that are served as files send their forms to the running site: the browser does, and shows its response. */
const isOfThisSite = (form: HTMLFormElement): boolean =>
  new URL(form.getAttribute('action') ?? '', location.href).origin === location.origin

for (const form of document.querySelectorAll<HTMLFormElement>('form.builder-form')) {
  const steps = startSteps(form)
  const value = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? ''
  const isOurs = isOfThisSite(form)
  if (isOurs && (words('challenged') !== '' || form.querySelector('.builder-challenge'))) {
    startChallenge(form, value('post_id'), value('form_id'))
  }
  form.addEventListener('submit', (event) => {
    const isComplete = !steps || steps.isComplete()
    if (isOurs || !isComplete) event.preventDefault()
    if (isOurs && isComplete) void sendForm(form, steps)
  })
}

// Comments stay forms of the browser: their response is a page.
for (const { form } of words('commented') === ''
  ? []
  : document.querySelectorAll<HTMLInputElement>('[name=comment_form]')) {
  if (!form || !isOfThisSite(form)) continue
  startChallenge(form, words('commented'), words('commentForm'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void proofOf(form)
      .then((fields) => form.append(...fields.map(hiddenInput)))
      // Without a proof the server asks to send it once more.
      .catch(() => undefined)
      .then(() => form.submit())
  })
}
