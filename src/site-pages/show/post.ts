/** Shows one post, page or medium, with its template, its document or the article of the theme. */

import type { Post } from '../../contract/storage.ts'
import { mediumFiles } from '../../features/content/posts/model.ts'
import { objectOf, type RawSettings } from '../../render/builder/document/values.ts'
import { pageSettingsKey } from '../../render/builder/records/keys.ts'
import { layoutOfTemplate, type PageLayout } from '../../site/page-templates.ts'
import { type CommentParts, drawComments, type RefusedComment } from '../comments/draw.ts'
import { withCommentForm } from '../comments/place.ts'
import { readThread } from '../comments/thread.ts'
import { type Entry, picturesOf, plainOf, readEntries } from '../content/entries.ts'
import { filtered, html, join, type Markup, nothing, unfiltered } from '../content/markup.ts'
import { contentOf } from '../content/text.ts'
import { type Drawn, drawTemplates } from '../documents/draw.ts'
import type { HeadValues } from '../theme/head.ts'
import { article, passwordForm, picture } from '../theme/posts.ts'
import type { Visit } from '../visit.ts'
import { type PageFiles, showPage } from './page.ts'

export interface PostReader {
  /** Whether the reader has entered the password. */
  readonly isUnlocked?: boolean
  readonly wasPasswordWrong?: boolean
  /** The user whose rights apply to a post that is not published. */
  readonly previewer?: number
  readonly notes?: readonly Markup[]
  readonly status?: number
  readonly refusedComment?: RefusedComment
}

export async function showPost(
  { post, address }: { readonly post: Post; readonly address: string },
  reader: PostReader,
  files: PageFiles,
  visit: Visit,
): Promise<Response> {
  const { isUnlocked = false, previewer, wasPasswordWrong = false, notes = [], status = 200 } = reader
  const isProtected = post.password !== ''
  const isPreview = previewer !== undefined
  const lock = { isLocked: isProtected && !isUnlocked && !isPreview, wasPasswordWrong }
  const parts = await readParts(post, lock, previewer, visit)
  const { shown, layout } = parts
  const [main, { drawn, below, hasComments }] = await Promise.all([
    mainOf(parts, { ...lock, isRefused: reader.refusedComment !== undefined }, visit),
    commentsOf({ ...parts, address }, { ...reader, ...lock }, visit),
  ])
  const isFront = address === `${visit.settings.home}/`
  return showPage(
    {
      drawn: parts.hasTitle ? withTitle(shown, drawn) : drawn,
      ...{ layout, post, main, below, status },
      notes: [...notes, ...(isPreview ? [previewNote(post, visit)] : [])],
      privacy: isForOne(post, reader) ? 'private' : 'public',
      variesByCookie: isProtected,
      bodyClasses: [
        `is-${post.type}`.replace(/[^\w-]/g, ''),
        ...(isFront ? ['is-front'] : []),
        ...(layout === 'theme' ? [] : [`is-${layout}`]),
      ],
      head: {
        ...headOf(shown, isFront ? '' : shown.titleText, lock.isLocked ? '' : descriptionOf(shown, drawn)),
        ...(isPreview ? {} : { canonical: address }),
        isEmbeddable: !isPreview && post.status === 'publish',
        ...commentFeed(hasComments, { title: shown.titleText, address }, visit),
      },
    },
    files,
    visit,
  )
}

const headOf = ({ post, picture }: Entry, title: string, description: string): HeadValues => ({
  ...{ title, description, isArticle: post.type === 'post' },
  ...(post.type === 'post' && post.dateGmt ? { published: `${post.dateGmt}Z`, modified: `${post.modifiedGmt}Z` } : {}),
  ...(picture ? { picture } : {}),
})

/** The post as the pages show it. */
interface ShownParts {
  readonly shown: Entry
  readonly drawn: Drawn
  readonly layout: PageLayout
  /** Whether the theme shows the title. */
  readonly hasTitle: boolean
}

async function readParts(
  post: Post,
  { isLocked }: Lock,
  previewer: number | undefined,
  visit: Visit,
): Promise<ShownParts> {
  const unlocked = post.password !== '' && !isLocked ? { unlocked: [post.id] } : {}
  const reader = { ...unlocked, ...(previewer === undefined ? {} : { user: previewer }) }
  const [[entry], drawn, settings, hidden] = await Promise.all([
    readEntries([post], visit, { hasPictureTexts: true }),
    drawTemplates({ post: post.id }, visit, { hasMain: !isLocked, reader }),
    pageSettingsOf(post, visit),
    visit.hiddenParts(),
  ])
  const layout = layoutOf(post, settings)
  return {
    // The cast: the list has one entry for each post.
    shown: entry as Entry,
    drawn: layout === 'canvas' ? { ...drawn, header: undefined, footer: undefined } : drawn,
    layout,
    hasTitle: layout === 'theme' && settings['hide_title'] !== 'yes' && !hidden.has('page title'),
  }
}

const previewNote = ({ status }: Post, { options: { words } }: Visit): Markup =>
  html`<p class="site-note">${status === 'publish' ? words.previewOfPublished : words.preview}</p>`

/** Returns whether only this reader may see the page. */
const isForOne = ({ password }: Post, { previewer, notes = [], status = 200 }: PostReader): boolean =>
  previewer !== undefined || password !== '' || notes.length > 0 || status !== 200

interface Commented {
  readonly drawn: Drawn
  /** The comments that the theme shows below the main part. */
  readonly below: Markup
  readonly hasComments: boolean
}

/** A document decides itself where it shows comments; previews and locked posts show none. */
async function commentsOf(
  { shown: { post }, drawn, layout, address }: ShownParts & { readonly address: string },
  { isLocked, previewer, refusedComment: refused }: PostReader & Lock,
  visit: Visit,
): Promise<Commented> {
  const none = { drawn, below: nothing, hasComments: false }
  if (isLocked || previewer !== undefined) return none
  const placed = await withCommentForm(drawn, { post, address, refused }, visit)
  if (placed) return { drawn: placed, below: nothing, hasComments: true }
  if (drawn.isTemplate || layout !== 'theme') return none
  const own = drawn.main ? undefined : ownComments(post)
  // A refused comment is shown in the form of the theme, which knows what was entered.
  const parts = { hasList: !own?.hasList, hasForm: !own?.hasForm || refused !== undefined }
  const thread = parts.hasList || parts.hasForm ? await readThread(post, visit) : undefined
  if (!thread) return none
  return { drawn, below: drawComments({ thread, address, refused }, parts, visit), hasComments: true }
}

/** Returns the parts that the blocks of a content show. A list without a form is what its author wants. */
function ownComments({ content }: Post): CommentParts {
  const hasList = /<!-- cms:(?:post-)?comments\s/.test(content)
  return { hasList, hasForm: hasList || /<!-- cms:post-comments-form\s/.test(content) }
}

/** The feed of the front page is that of the site. */
function commentFeed(
  hasComments: boolean,
  { title, address }: { readonly title: string; readonly address: string },
  { settings, options }: Visit,
): Pick<HeadValues, 'feedOf'> {
  if (!hasComments || address === `${settings.home}/`) return {}
  return { feedOf: { title: `${title} – ${options.words.commentsLabel}`, address } }
}

const descriptionOf = ({ excerpt, post }: Entry, { main, isTemplate }: Drawn): string =>
  post.excerpt.trim() === '' && main && !isTemplate ? main.text.replace(/\s+/g, ' ').trim() : plainOf(excerpt)

/** Adds the title of the post to a document without a heading of the first level. */
function withTitle({ titleText }: Entry, drawn: Drawn): Drawn {
  const { main, isTemplate } = drawn
  if (!main || isTemplate || /<h1[\s>]/.test(main.html) || titleText === '') return drawn
  const heading = html`<div class="site-column entry-header"><h1 class="entry-title">${titleText}</h1></div>`.markup
  return { ...drawn, main: { ...main, html: heading + main.html } }
}

interface Lock {
  readonly isLocked: boolean
  readonly wasPasswordWrong: boolean
}

/** The settings of the document name a template too; that of the post comes first. */
const layoutOf = ({ template }: Post, settings: RawSettings): PageLayout =>
  layoutOfTemplate(template === '' ? settings['template'] : template)

async function pageSettingsOf({ id }: Post, { storage }: Visit): Promise<RawSettings> {
  const [entry] = await storage.meta.read('post', [id], [pageSettingsKey])
  return objectOf(entry?.value)
}

async function mainOf(
  { shown, drawn, layout, hasTitle }: ShownParts,
  { isRefused, ...lock }: Lock & { readonly isRefused: boolean },
  visit: Visit,
): Promise<Markup> {
  if (drawn.main) return nothing
  const { post } = shown
  if (lock.isLocked) return article(shown, { content: passwordForm(post, lock.wasPasswordWrong, visit) }, visit)
  const content =
    post.type === 'attachment'
      ? await mediumContent(post, visit)
      : await contentOf(post, visit, { hasForm: !isRefused })
  if (layout !== 'theme') return html`<div class="site-text">${content}</div>`
  return article(shown, { content, hasTitle }, visit)
}

/** Returns the picture, or a link to the file, followed by the description of the medium. */
async function mediumContent(post: Post, visit: Visit): Promise<Markup> {
  const [pictures, files] = await Promise.all([picturesOf([post.id], visit), mediumFiles(visit, [post.id])])
  const [shown, file] = [pictures.get(post.id), files.get(post.id)]
  const image = shown
    ? html`<figure class="site-figure">${picture(shown, { isLazy: false })}${shown.caption === '' ? nothing : html`<figcaption>${filtered(shown.caption)}</figcaption>`}</figure>`
    : nothing
  const link =
    file && !shown
      ? html`<p><a href="${file.address}">${visit.options.words.download}: ${file.path.slice(file.path.lastIndexOf('/') + 1)}</a></p>`
      : nothing
  return join([image, link, unfiltered((await contentOf(post, visit)).markup)])
}
