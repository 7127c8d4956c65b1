/** The views of the consent page: sign-in form, approval form, the new password, and errors. */

import type { User } from '../../contract/storage.ts'
import type { Context } from '../../core/declare/context.ts'
import type { ErrorBody } from '../../core/declare/errors.ts'
import type { Result } from '../../core/declare/result.ts'
import { formatApplicationPassword } from '../../core/runtime/crypto.ts'
import type { Settings } from '../../site/settings.ts'
import { html, htmlPage, type Markup, named, type Page } from '../html.ts'
import { pageStyle } from '../style.ts'
import type { AppRequest } from './args.ts'
import { destinationOf, formSources, withValues } from './return-address.ts'
import { passwordScript } from './script.ts'

/** An error that is shown above the page content. */
export interface Problem {
  readonly status: number
  readonly text: string
  readonly retryAfter?: number
}

type PageContext = Pick<Context, 'settings' | 'route'>

/** The URL after a rejection; empty if the application gave none. */
export const refusalAddress = ({ success_url: success, reject_url: reject }: AppRequest): string =>
  reject === '' && success !== '' ? withValues(success, { success: 'false' }) : reject

export function signInPage(context: PageContext, request: AppRequest, login: string, problem?: Problem): Result {
  const describedBy = problem && html` aria-describedby="problem"`
  const fieldState = problem?.status === 401 ? html` aria-invalid="true"${describedBy}` : describedBy
  const [first, second] = login === '' ? [html` autofocus`, undefined] : [undefined, html` autofocus`]
  return consentPage(context, {
    title: 'Sign in',
    problem,
    formAction: "'self'",
    main: html`<p>${appName(request)} asks for access to your account. Sign in to decide.</p>
${consequences(context, request)}
<form method="post" action="${addressOf(context)}">
${hiddenFields(request)}
<label for="login">Login or e-mail address</label>
<input id="login" name="login" value="${login}" required maxlength="320" autocomplete="username" autocapitalize="none" spellcheck="false"${fieldState}${first}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1024" autocomplete="current-password"${fieldState}${second}>
<div class="actions">
<button class="primary" name="decision" value="sign-in">Sign in</button>
${cancelLink(request)}
</div>
</form>`,
  })
}

/** Links to the sign-in page of the host. */
export function signInLinkPage(
  context: PageContext,
  request: AppRequest,
  signInUrl: (returnTo: string) => string,
  problem?: Problem,
): Result {
  const query = Object.entries(request).filter(([, value]) => value !== '')
  const returnTo = `${context.settings.apiRoot}${context.route}?${new URLSearchParams(query)}`
  return consentPage(context, {
    title: 'Sign in',
    problem,
    main: html`<p>${appName(request)} asks for access to your account. Sign in to decide.</p>
${consequences(context, request)}
<div class="actions">
<a class="button primary" href="${signInUrl(returnTo)}">Sign in</a>
${cancelLink(request)}
</div>`,
  })
}

export function questionPage(
  context: PageContext,
  request: AppRequest,
  { user, grant }: { readonly user: User; readonly grant: string },
  problem?: Problem,
): Result {
  const { success_url: success } = request
  return consentPage(context, {
    title: 'Let an application into your account?',
    problem,
    formAction: formSources([success, refusalAddress(request)]),
    main: html`<p>You are signed in as <strong>${named(user.displayName)}</strong> (${named(user.login)}).</p>
<p>An application that calls itself ${appName(request)} asks for access to your account.</p>
${consequences(context, request)}
<p>Approve only if you started this yourself, in an application that you trust.</p>
<form method="post" action="${addressOf(context)}">
${hiddenFields(request)}
<input type="hidden" name="grant" value="${grant}">
<div class="actions">
<button class="primary" name="decision" value="approve">Approve</button>
<button name="decision" value="refuse">Refuse</button>
</div>
</form>`,
  })
}

/** Shows the password, for an application without a `success_url`. */
export function passwordPage(context: PageContext, request: AppRequest, user: User, secret: string): Result {
  return consentPage(context, {
    title: 'The application has a password',
    script: passwordScript,
    main: html`<p>Enter these into ${appName(request)}. The password is shown only once.</p>
<label for="site">Site</label>
<input id="site" readonly value="${context.settings.url}">
<label for="login">Login</label>
<input id="login" readonly value="${user.login}">
<label for="password">Password</label>
<input id="password" readonly value="${formatApplicationPassword(secret)}">`,
  })
}

export const refusedPage = (context: PageContext, request: AppRequest): Result =>
  consentPage(context, {
    title: 'The application was not let in',
    main: html`<p>${appName(request)} got no password. You may close this page.</p>`,
  })

/** Draws the page for errors before the handler runs, and for failures. */
export function errorPage({ message, data }: ErrorBody, settings: Settings | undefined): Result {
  const problems = Object.entries((data.params ?? {}) as { readonly [name: string]: unknown })
  return framed(settings, {
    title: 'This is not possible',
    status: data.status,
    ...(typeof data.retry_after === 'number' ? { headers: { 'Retry-After': String(data.retry_after) } } : {}),
    main: html`<div class="problem" role="alert">
<p>${message}</p>
${Array.isArray(data.params) ? undefined : list(problems.map(([name, text]) => `${name}: ${String(text)}`))}
${typeof data.id === 'string' ? html`<p>The failure is logged as ${data.id}.</p>` : undefined}
</div>
<p>No application was let in.</p>`,
  })
}

const list = (lines: readonly string[]): Markup | undefined =>
  lines.length === 0 ? undefined : html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`

type Content = Pick<Page, 'title' | 'status' | 'main' | 'formAction' | 'headers' | 'script'>

function consentPage(
  { settings }: PageContext,
  { problem, ...content }: Content & { readonly problem?: Problem },
): Result {
  if (!problem) return framed(settings, content)
  const { status, text, retryAfter } = problem
  return framed(settings, {
    ...content,
    status,
    warning: text,
    main: html`<div class="problem" role="alert" id="problem"><p>${text}</p></div>
${content.main}`,
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } }),
  })
}

/** The title begins with the error, because screen readers read it first. */
function framed(
  settings: Settings | undefined,
  { main, title, warning = '', ...content }: Content & { readonly warning?: string },
): Result {
  const host = settings ? new URL(settings.url).host : ''
  const site = settings?.name || host
  return htmlPage({
    ...content,
    title: [warning, title, site].filter((part) => part !== '').join(' – '),
    style: pageStyle,
    main: html`${settings ? html`<p class="site">${named(site)} · ${host}</p>` : undefined}
<h1>${title}</h1>
${main}`,
  })
}

/** Explains what an approval permits. The page shows it before it asks for the password. */
function consequences({ settings }: PageContext, request: AppRequest): Markup {
  const { success_url: success } = request
  const destination =
    success === ''
      ? html`This page shows the new password, for you to enter into the application.`
      : html`You are then sent to <strong>${named(destinationOf(success))}</strong>, which receives the new password.`
  return html`<h2>If you approve</h2>
<ul class="details">
<li>${appName(request)} can read, change and delete on this site whatever you can, as you.</li>
<li>It gets a new password of its own, which can be revoked. Your own password goes to ${new URL(settings.url).host} only; the application never sees it.</li>
<li>${destination}</li>
</ul>`
}

function cancelLink(request: AppRequest): Markup | undefined {
  const address = refusalAddress(request)
  return address === '' ? undefined : html`<a class="button" href="${address}" rel="noreferrer">Cancel</a>`
}

const appName = ({ app_name: name }: AppRequest) => html`<strong>${named(name)}</strong>`

/** The public path of the page, without a host, so that the form stays on the host of the browser's URL. */
const addressOf = ({ settings, route }: PageContext) => new URL(settings.apiRoot).pathname.replace(/\/$/, '') + route

function hiddenFields({ app_name, app_id, success_url, reject_url }: AppRequest): Markup[] {
  const fields = Object.entries({ app_name, app_id, success_url, reject_url }).filter(([, value]) => value !== '')
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
