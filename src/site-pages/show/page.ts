/** Writes a page and its headers: the drawn parts, the files that it loads, and the headers for caches. */

import { toInteger } from '../../contract/scalars.ts'
import type { Json, Post } from '../../contract/storage.ts'
import { discoveryLink } from '../../core/pipeline/mount.ts'
import { settingOption } from '../../features/builder/settings/model.ts'
import { publicTypesOf } from '../../features/shared/declared-types.ts'
import { kitOptions } from '../../render/builder/records/keys.ts'
import { withCaptcha } from '../captcha.ts'
import { picturesOf } from '../content/entries.ts'
import { readNavigation } from '../content/navigation.ts'
import { drawnParts } from '../documents/draw.ts'
import { type SheetStore, sheetsOf } from '../documents/sheets.ts'
import { htmlType, type Privacy, respond } from '../response.ts'
import { drawPage, type PageParts } from '../theme/frame.ts'
import { requestAddress, type Visit } from '../visit.ts'
import { blocksAddress, type OwnFiles, sheetAddress, styleAddress } from './asset.ts'
import { remediated } from './remediations.ts'
import { scriptsOf } from './scripts.ts'

export interface PageFiles {
  readonly own: OwnFiles
  readonly store: SheetStore
}

interface Page extends Omit<PageParts, 'navigation' | 'hidden'> {
  readonly status?: number
  readonly privacy?: Privacy
  /** Whether the response depends on the cookies of the reader. */
  readonly variesByCookie?: boolean
  readonly post?: Post
}

export async function showPage(page: Page, files: PageFiles, visit: Visit): Promise<Response> {
  const { options } = visit
  const sheets = sheetsOf(page.drawn)
  files.store.keep(sheets, visit)
  const [navigation, { icon, isInternal, hasKitFonts }, hidden] = await Promise.all([
    page.drawn.header || page.layout === 'canvas' ? [] : readNavigation(visit),
    readOptions(visit),
    visit.hiddenParts(),
  ])
  const drawn = drawPage(
    { ...page, navigation, hidden },
    {
      ...{ icon, hasKitFonts },
      sheets: [
        ...styleAddress(files.own, hidden, visit),
        ...blocksAddress(files.own, markupOf(page), visit),
        ...(isInternal ? [] : sheets.map((sheet) => sheetAddress(sheet, visit))),
      ],
      styles: isInternal ? sheets.map(({ css }) => css) : [],
      scripts: scriptsOf(page, files.own, visit),
    },
    visit,
  )
  const { status = 200, privacy = 'public' } = page
  const { page: shown, contentSecurityPolicy } = withCaptcha(drawn, options)
  return respond(visit, {
    body: await remediated(shown, page.head.canonical ?? requestAddress(visit), visit),
    type: htmlType,
    status,
    privacy,
    headers: {
      Link: linkHeader(page, visit),
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      ...(contentSecurityPolicy === false ? {} : { 'Content-Security-Policy': contentSecurityPolicy }),
      ...(page.variesByCookie ? { Vary: 'Cookie' } : {}),
      ...(privacy === 'private' || status !== 200 ? { 'X-Robots-Tag': 'noindex' } : {}),
    },
  })
}

/** A drawn main part replaces that of the theme. */
const markupOf = ({ drawn, main: themed }: Page): readonly string[] => [
  ...drawnParts(drawn).map(({ html }) => html),
  ...(drawn.main ? [] : [themed.markup]),
]

interface PageOptions {
  /** The address of the site's icon. */
  readonly icon: string | undefined
  /** Whether the page contains the sheets of its documents, as a setting of the builder asks for. */
  readonly isInternal: boolean
  /** Whether texts without a typography have that of the kit. */
  readonly hasKitFonts: boolean
}

const printMethod = settingOption('builder_css_print_method')

async function readOptions(visit: Visit): Promise<PageOptions> {
  const { disableTypography, disableTypographySetting } = kitOptions
  const offs = [disableTypography, disableTypographySetting]
  const options = await visit.storage.options.read(['site_icon', printMethod, ...offs])
  return {
    icon: await iconAddress(options['site_icon'], visit),
    isInternal: options[printMethod] === 'internal',
    hasKitFonts: offs.every((name) => options[name] !== 'yes'),
  }
}

/** Returns the address of the medium that the option `site_icon` names. */
async function iconAddress(option: Json | undefined, visit: Visit): Promise<string | undefined> {
  const stored = toInteger(option)
  if (typeof stored !== 'number' || stored <= 0) return undefined
  return (await picturesOf([stored], visit)).get(stored)?.address
}

/** Links the API and the record of the page. */
function linkHeader({ post, status = 200 }: Page, { settings, app }: Visit): string {
  const links = [discoveryLink(settings, app.names)]
  if (post?.status === 'publish' && status === 200) {
    const type = publicTypesOf(app).find(({ name }) => name === post.type)
    const record = type && `${settings.apiRoot}${app.names.toPublic(`/cms/v2/${type.published.restBase}/${post.id}`)}`
    if (record !== undefined) links.push(`<${record}>; rel="alternate"; type="application/json"`)
    links.push(`<${settings.home}/?p=${post.id}>; rel="shortlink"`)
  }
  return links.join(', ')
}
