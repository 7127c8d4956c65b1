/** Draws the captcha of the host's service in forms with such a field, and lets the policy of the page load it. */

import type { CaptchaService } from '../features/builder/form-submissions/intake/handler.ts'
import { html, type Markup } from './content/markup.ts'
import type { Words } from './words.ts'

interface CaptchaOptions {
  readonly forms: { readonly captcha?: CaptchaService } | false
  readonly contentSecurityPolicy: string | false
  readonly words: Words
}

interface Service {
  /** The class in which its script draws the captcha. */
  readonly className: string
  readonly script: (siteKey: string) => string
  /** Where its scripts, frames, styles and requests come from. */
  readonly sources: readonly string[]
}

const google = {
  className: 'g-recaptcha',
  sources: ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'],
}

const services: { readonly [kind in CaptchaService['kind']]: Service } = {
  recaptcha: { ...google, script: () => 'https://www.google.com/recaptcha/api.js' },
  recaptcha_v3: {
    ...google,
    script: (siteKey) => `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`,
  },
  hcaptcha: {
    className: 'h-captcha',
    script: () => 'https://js.hcaptcha.com/1/api.js',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  turnstile: {
    className: 'cf-turnstile',
    script: () => 'https://challenges.cloudflare.com/turnstile/v0/api.js',
    sources: ['https://challenges.cloudflare.com'],
  },
}

/** Throws a TypeError for a captcha that no page could draw. */
export function checkCaptcha(captcha: CaptchaService | undefined): void {
  if (captcha === undefined) return
  if (!Object.hasOwn(services, captcha.kind) || typeof captcha.siteKey !== 'string' || captcha.siteKey === '') {
    const kinds = Object.keys(services).join(', ')
    throw new TypeError(
      `forms.captcha has a siteKey and a kind: one of ${kinds}; the challenge of the pages needs no option`,
    )
  }
}

interface CaptchaPage {
  readonly page: string
  readonly contentSecurityPolicy: string | false
}

/** The fields of the renderer have a place for it. */
const places = /<div class="[\w-]*" data-captcha="(?!challenge")\w+"><\/div>/g

export function withCaptcha(page: string, options: CaptchaOptions): CaptchaPage {
  const { contentSecurityPolicy, forms } = options
  const captcha = forms === false ? undefined : forms.captcha
  if (!captcha || page.search(places) === -1) return { page, contentSecurityPolicy }
  const service = services[captcha.kind]
  const script = html`<script src="${service.script(captcha.siteKey)}" async defer></script>\n</body>`
  return {
    page: page
      .replace(places, () => drawn(captcha, options).markup)
      .replace(/<\/body>(?=\s*<\/html>\s*$)/, () => script.markup),
    contentSecurityPolicy: contentSecurityPolicy && allowing(contentSecurityPolicy, service.sources),
  }
}

function drawn({ kind, siteKey }: CaptchaService, { words }: CaptchaOptions): Markup {
  const sentence = html`<noscript><p>${words.captchaScript}</p></noscript>`
  return kind === 'recaptcha_v3'
    ? html`<div data-score-key="${siteKey}">${sentence}</div>`
    : html`<div class="${services[kind].className}" data-sitekey="${siteKey}">${sentence}</div>`
}

const directives = ['script-src', 'script-src-elem', 'frame-src', 'connect-src', 'style-src']

/** Adds sources to the directives that would keep them out. */
function allowing(policy: string, sources: readonly string[]): string {
  const parts = policy.split(';').map((part) => part.trim().split(/\s+/))
  const given = new Map(parts.filter(([name]) => name).map(([name = '', ...values]) => [name.toLowerCase(), values]))
  const fallback = given.get('default-src')
  for (const name of directives) {
    const values = given.get(name) ?? (name === 'script-src-elem' ? undefined : fallback)
    if (values) given.set(name, [...values.filter((value) => value !== "'none'"), ...sources])
  }
  return [...given].map(([name, values]) => [name, ...values].join(' ')).join('; ')
}
