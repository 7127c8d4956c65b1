/** Serves the captchas of services: their own scripts draw them and put a token into the form. */

interface Service {
  reset?(): void
  ready?(act: () => void): void
  execute?(key: string, about: { readonly action: string }): Promise<string>
}

const service = (name: string): Service | undefined => (globalThis as unknown as { [name: string]: Service })[name]

/** Returns the token of a captcha that shows nothing: it is made when the form is sent. */
export async function captchaToken(form: HTMLFormElement): Promise<readonly [string, string] | undefined> {
  const key = form.querySelector<HTMLElement>('[data-score-key]')?.dataset['scoreKey']
  const { ready, execute } = service('grecaptcha') ?? {}
  if (key === undefined || !ready || !execute) return undefined
  await new Promise<void>((done) => ready(done))
  return ['g-recaptcha-response', await execute(key, { action: 'submit' })]
}

/** A token is good for one attempt. */
export function resetCaptcha(form: HTMLFormElement): void {
  if (!form.querySelector('[data-sitekey]')) return
  for (const name of ['hcaptcha', 'turnstile', 'grecaptcha']) service(name)?.reset?.()
}
