/** Handles requests to the pages of a site: it finds the page, the file or the form for each request. */

import { isApiError } from '../core/declare/errors.ts'
import { toResponse } from '../core/declare/result.ts'
import { createFailureLog, storageError } from '../core/pipeline/errors/storage-failures.ts'
import { targetOfUrl } from '../core/pipeline/mount.ts'
import { belowRoot, RequestIncoming } from '../core/request/incoming.ts'
import { hasRestRoute } from '../core/request/rest-route.ts'
import { isStorageFailure } from '../core/runtime/unit-of-work.ts'
import type { ReceivedForm } from '../features/builder/form-submissions/intake/body.ts'
import { ChallengeGate } from '../features/builder/form-submissions/intake/gate.ts'
import type { UnlockedForm } from '../features/builder/form-submissions/intake/handler.ts'
import { pagesSecret } from '../features/shared/access/preview-token.ts'
import { canonicalRedirect } from './address/canonical.ts'
import type { Located } from './address/locate.ts'
import { locate } from './address/lookup.ts'
import { redirectOtherPath } from './address/old-addresses.ts'
import type { PagesApi } from './api.ts'
import { challengeFile, challengeResponse, sendAgain } from './challenge.ts'
import { isComment, sendComment } from './comments/send.ts'
import { html, type Markup } from './content/markup.ts'
import { createSheetStore } from './documents/sheets.ts'
import { withDraft } from './draft.ts'
import { isEditorLink, openEditorLink } from './editor-links.ts'
import { robotsText, sitemapText } from './feeds/sitemap.ts'
import {
  challengeIn,
  createPageIntake,
  fieldsOf,
  isOutcomeUnknown,
  problemsOf,
  readPageForm,
  redirectIn,
  sendForm,
} from './forms.ts'
import type { PagesOptions } from './options.ts'
import { previewedPost } from './preview.ts'
import { redirect, respond, textResponse } from './response.ts'
import { showArchive } from './show/archive.ts'
import { assetAt, createOwnFiles } from './show/asset.ts'
import { showEmbed } from './show/embed.ts'
import { showCommentFeed, showFeed } from './show/feeds.ts'
import { showNotFound } from './show/not-found.ts'
import type { PageFiles } from './show/page.ts'
import { type PostReader, showPost } from './show/post.ts'
import { isUnlocked, opensPost, unlockCookie } from './show/protected.ts'
import { pathBelowHome, type Visit } from './visit.ts'
import { locatedOf, readMethods, type Site, segmentsOf, type TriedSite, visitOf } from './visits.ts'

export function createFetch(
  api: PagesApi,
  options: PagesOptions,
  tried?: TriedSite,
  files: PageFiles = pageFilesOf(api, options),
): (request: Request) => Promise<Response> {
  const { storage, app } = api['~parts']
  const secret = () => pagesSecret(storage)
  const gate = new ChallengeGate({ demands: options.challenge, secret, clock: app.clock })
  const site: Site = {
    api,
    options,
    files,
    intake: createPageIntake(api, options.forms, gate),
    gate,
    failures: createFailureLog(app.log),
    tried,
  }
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (isForApi(pathname, api)) return api.fetch(request)
    try {
      const file = await storedFile(request, api)
      if (file) return file
      if (hasRestRoute(targetOfUrl(request.url).query) && (await isFront(pathname, api)))
        return fetchIndex(request, api)
      return await answer(request, site)
    } catch (error) {
      return failure(error, request, site)
    }
  }
}

export const pageFilesOf = ({ '~parts': { app, publicName } }: PagesApi, options: PagesOptions): PageFiles => ({
  own: createOwnFiles(options, publicName, app.names.swapMarkup),
  store: createSheetStore(),
})

/** An api without a root leaves home and all paths without a route to the pages. */
export function isForApi(pathname: string, api: PagesApi): boolean {
  const path = belowRoot(pathname, api.root)
  if (path === undefined) return false
  return api.root !== '' || (path !== '/' && api.covers(path))
}

/** Undefined where no file is stored at the path: a page may be there. */
async function storedFile(request: Request, { files }: PagesApi): Promise<Response | undefined> {
  const { path, query } = targetOfUrl(request.url)
  const below = files.root === '' ? undefined : belowRoot(path, files.root)
  if (below === undefined) return undefined
  const data = await files.handle(new RequestIncoming(request, below, query))
  return data.status === 404 ? undefined : toResponse(data)
}

/** Clients that know only the address of the site send route queries to it. */
async function isFront(pathname: string, api: PagesApi): Promise<boolean> {
  const { storage, app, ready } = api['~parts']
  await ready()
  return ['', '/'].includes(pathBelowHome(pathname, await app.settings.read(storage)) ?? 'outside')
}

function fetchIndex(request: Request, api: PagesApi): Promise<Response> {
  const url = new URL(request.url)
  url.pathname = `${api.root}/`
  return api.fetch(new Request(url, request))
}

function failure(error: unknown, request: Request, { api, options, failures }: Site): Response {
  // The client has closed the connection, or its body is too large.
  if (isApiError(error) && error.status < 500) {
    const { retry_after: seconds } = error.data
    const text = `${error.message}\n`
    return seconds === undefined
      ? textResponse(text, error.status)
      : textResponse(text, error.status, { 'Retry-After': String(seconds) })
  }
  const asked = { method: request.method, path: new URL(request.url).pathname }
  const say = (id: string, status: number, headers = {}) =>
    textResponse(`${options.words.failed}\n\n${options.words.failedText}\n\n${id}\n`, status, headers)
  if (isStorageFailure(error)) {
    const id = failures.add(error, asked)
    const { status, data } = storageError(error, id)
    return say(id, status, { 'Retry-After': String(data['retry_after']) })
  }
  const id = crypto.randomUUID()
  api['~parts'].app.log.error('a page could not be shown', { id, error, ...asked })
  return say(id, isApiError(error) ? error.status : 500)
}

async function answer(request: Request, site: Site): Promise<Response> {
  const visit = await visitOf(request, site)
  const { method } = request
  if (method === 'POST') return visit ? receive(visit, site) : textResponse('Not found\n', 404)
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: 'GET, HEAD, POST, OPTIONS' } })
  if (!readMethods.includes(method))
    return textResponse('Method not allowed\n', 405, { Allow: 'GET, HEAD, POST, OPTIONS' })
  return visit ? show(visit, site) : textResponse('Not found\n', 404)
}

// ---------------------------------------------------------------- GET

async function show(visit: Visit, site: Site): Promise<Response> {
  return (await fileAt(visit, site)) ?? (await pageAt(visit, site)) ?? showNotFound(site.files, visit)
}

async function fileAt(visit: Visit, site: Site): Promise<Response | undefined> {
  const { path, options } = visit
  if (path === '/robots.txt') return respond(visit, { body: robotsText(visit), type: 'text/plain; charset=UTF-8' })
  const sitemap = /^\/(sitemap(?:-[\w-]+)?)\.xml$/.exec(path)?.[1]
  if (sitemap !== undefined) {
    const body = await sitemapText(sitemap, visit)
    return body === undefined
      ? textResponse('Not found\n', 404)
      : respond(visit, { body, type: 'application/xml; charset=UTF-8' })
  }
  if (!path.startsWith(`${options.assets}/`)) return undefined
  if (path === `${options.assets}/${challengeFile}`) return challengeResponse(visit, site.gate)
  const sources = { ...site.files, drawAgain: () => drawReferrer(visit, site) }
  return (await assetAt(path.slice(options.assets.length + 1), sources, visit)) ?? textResponse('Not found\n', 404)
}

/** Draws the page that requested a sheet which this process does not have. */
async function drawReferrer(visit: Visit, site: Site): Promise<void> {
  const referrer = visit.request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return
  const { pathname, search } = new URL(referrer)
  const page = new Request(new URL(pathname + search, visit.request.url), { headers: cookiesOf(visit.request) })
  const again = await visitOf(page, site)
  if (again && !again.path.startsWith(`${visit.options.assets}/`)) await show(again, site)
}

const cookiesOf = ({ headers }: Request): { readonly [name: string]: string } => {
  const cookie = headers.get('cookie')
  return cookie === null ? {} : { cookie }
}

async function pageAt(visit: Visit, { files }: Site): Promise<Response | undefined> {
  const preview = visit.query.has('preview') ? await previewedPost(visit) : await openEditorLink(visit)
  if (preview instanceof Response) return preview
  if (preview) {
    const { user } = preview
    const { post, visit: drafted } = await withDraft(preview.post, user, { ...visit, isPreview: true })
    return showPost({ post, address: '' }, { previewer: user }, files, drafted)
  }
  if (isEditorLink(visit)) return showNotFound(files, visit, { privacy: 'private' })
  const segments = segmentsOf(visit)
  const located = await locatedOf(visit)
  if (!located) return segments && redirectOtherPath(segments, visit)
  return canonicalRedirect(located, visit) ?? showLocated(located, files, visit, {})
}

async function showLocated(
  located: Located,
  files: PageFiles,
  visit: Visit,
  reader: PostReader,
): Promise<Response | undefined> {
  if (located.kind === 'archive') {
    return located.feed ? showFeed(located, located.feed, visit) : showArchive(located, files, visit)
  }
  const { post, isEmbed, feed } = located
  if (feed) return showCommentFeed(located, feed, visit)
  if (isEmbed) return showEmbed(post, files, visit)
  const sent = visit.query.get('sent')
  const { words } = visit.options
  const text = sent !== null ? words.formSent : visit.query.get('comment') === 'held' ? words.commentHeld : undefined
  const notes = text === undefined ? [] : [html`<p class="site-note" role="status">${text}</p>`]
  return showPost(located, { notes, isUnlocked: await isUnlocked(post, visit), ...reader }, files, visit)
}

// ---------------------------------------------------------------- POST

async function receive(visit: Visit, site: Site): Promise<Response> {
  const received = await readPageForm(visit.request, site.intake)
  try {
    const fields = fieldsOf(received)
    if (visit.path === `${visit.options.assets}/unlock`) return await unlock(fields, visit, site)
    if (isComment(fields)) return await receiveComment(fields, visit, site)
    return await receiveForm(received, String(fields.get('form_id') ?? ''), visit, site)
  } finally {
    await received.dispose()
  }
}

async function receiveForm(received: ReceivedForm, form: string, visit: Visit, site: Site): Promise<Response> {
  if (!site.intake || form === '') {
    return textResponse('Method not allowed\n', 405, { Allow: 'GET, HEAD, OPTIONS' })
  }
  const unlocked = await unlessAway(() => unlockedForm(visit))
  const response = await sendForm(received, visit.request, site.intake, unlocked)
  // A script shows the response next to the form.
  if (/\bapplication\/json\b/.test(visit.request.headers.get('accept') ?? '')) return response
  if (response.ok) return redirect((await redirectIn(response)) ?? sentAddress(form, visit), 303)
  if (await isOutcomeUnknown(response)) return perhapsSent(response, visit)
  const reader = await refusal(response, received, visit)
  const page = await unlessAway(async () => {
    const located = await locatedOf(visit)
    return located && showLocated(located, site.files, visit, reader)
  })
  return page ?? refusedText(await problemsOf(response), response.status)
}

/** Not the page with what was sent: that asks for it again. */
const perhapsSent = ({ status, headers }: Response, { options }: Visit) =>
  textResponse(`${options.words.perhapsSent}\n`, status, { 'Retry-After': headers.get('Retry-After') ?? '' })

const refusedText = (problems: readonly string[], status: number) => textResponse(`${problems.join('\n')}\n`, status)

/** A storage that is away has refused the form, and can not draw its page: the sender still has to learn what became of it. */
async function unlessAway<T>(draw: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await draw()
  } catch (error) {
    if (!isStorageFailure(error)) throw error
    return undefined
  }
}

/** The cookie of a reader who has unlocked the page stands for its password. */
async function unlockedForm(visit: Visit): Promise<UnlockedForm | undefined> {
  const located = await locatedOf(visit)
  if (located?.kind !== 'post' || !(await isUnlocked(located.post, visit))) return undefined
  const { id, password } = located.post
  return password === '' ? undefined : { post: id, password }
}

async function receiveComment(fields: FormData, visit: Visit, { files, gate }: Site): Promise<Response> {
  const located = await locatedOf(visit)
  if (located?.kind !== 'post' || located.isEmbed || located.feed) return showNotFound(files, visit)
  const { post, address } = located
  const sending = await sendComment(fields, { post, isUnlocked: await isUnlocked(post, visit), gate }, visit)
  if ('sent' in sending) {
    const { id, isShown } = sending.sent
    const held = new URL(address)
    held.searchParams.set('comment', 'held')
    return redirect(isShown ? `${address}#comment-${id}` : `${held.href}#content`, 303)
  }
  if ('unknown' in sending) return perhapsSent(sending.unknown, visit)
  const { refused, status, retryAfter } = sending
  const page =
    (await unlessAway(() => showLocated(located, files, visit, { refusedComment: refused, status }))) ??
    refusedText(refused.problems, status)
  if (retryAfter !== null) page.headers.set('Retry-After', retryAfter)
  return page
}

function sentAddress(form: string, { settings, path, query }: Visit): string {
  const rest = new URLSearchParams(query)
  rest.set('sent', form)
  return `${settings.home}${path}?${rest}`
}

async function refusal(response: Response, received: ReceivedForm, visit: Visit): Promise<PostReader> {
  const { words } = visit.options
  const token = await challengeIn(response)
  const problems = token === undefined ? await problemsOf(response.clone()) : []
  const what =
    token === undefined
      ? html`<ul>${problems.map((text) => html`<li>${text}</li>`)}</ul>`
      : sendAgain(received, token, visit)
  const note: Markup = html`<div class="site-note" role="alert"><p>${words.formProblem}</p>${what}</div>`
  return { notes: [note], status: response.status }
}

async function unlock(fields: FormData, visit: Visit, { files }: Site): Promise<Response> {
  const id = Number(/^\d{1,15}$/.exec(String(fields.get('post') ?? ''))?.[0] ?? 0)
  const located = await locate([], { ...visit, query: new URLSearchParams({ p: String(id) }) })
  if (located?.kind !== 'post' || located.post.password === '') return showNotFound(files, visit)
  if (!opensPost(String(fields.get('password') ?? ''), located.post, visit)) {
    return showPost(located, { wasPasswordWrong: true, status: 403 }, files, visit)
  }
  const opened = redirect(located.address, 303)
  opened.headers.append('Set-Cookie', await unlockCookie(located.post, visit))
  return opened
}
