/** The pages of the site, at every address that this application does not draw itself. */
import { pages } from '../../site.ts'

export const dynamic = 'force-dynamic'

export const GET = pages.fetch
export const HEAD = pages.fetch
export const POST = pages.fetch
export const OPTIONS = pages.fetch
