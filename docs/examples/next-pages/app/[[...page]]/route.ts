/** Answers every address of the application: the API below `/api`, and the pages of the site. */
import { pages } from '../../site/pages'

// The pages are made for each request; their validators are those of the site.
export const dynamic = 'force-dynamic'

export const GET = pages.fetch
export const HEAD = pages.fetch
export const POST = pages.fetch
export const PUT = pages.fetch
export const PATCH = pages.fetch
export const DELETE = pages.fetch
export const OPTIONS = pages.fetch
