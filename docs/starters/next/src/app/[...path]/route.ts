/** The pages of the site, at every address that this application does not draw itself. */
import { api, pages } from '../../site.ts'

export const dynamic = 'force-dynamic'

// Visitors write comments and send forms here.
const respond = (request: Request) => api.revalidate(() => pages.fetch(request))

export const GET = respond
export const HEAD = respond
export const POST = respond
export const OPTIONS = respond
