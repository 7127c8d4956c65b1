/** Adds a widget of the host, and draws a page that has it. */
import { createSiteApi, d1, type Storage } from 'site-api'
import { choice, color, h, size, widget } from 'site-api/render'

const openingHours = widget({
  html: ({ settings }) => h('p', { class: ['hours'], title: settings.text('note') }, settings.text('hours', 'Closed')),
  controls: [color('hours_color', '& .hours', 'color')],
})

const notice = widget({
  html: (element) => h('div', { class: ['notice'] }, h('p', { class: ['title'] }, element.html('title'))),
  controls: [
    color('title_color', '& .title', 'color'),
    size('gap', '&', '--gap'), // responsive: gap_tablet and gap_mobile go to their media queries
    choice('align', ['start', 'center', 'end'], '&', 'text-align'),
  ],
})

export const createApi = (storage: Storage) =>
  createSiteApi({
    storage,
    profile: d1,
    url: 'https://example.com',
    render: {
      widgets: { 'opening-hours': openingHours, notice },
      queries: { fresh: (query) => ({ ...query, sticky: false, order: { by: 'modified', descending: true } }) },
    },
  })

/** The page with the header that wins its place. */
export async function pageHtml(api: ReturnType<typeof createApi>, id: number): Promise<string | undefined> {
  const page = await api.render.document(id)
  const header = await api.render.at('header', { post: id })
  if (!page) return undefined
  const styles = [...(header?.css ?? []), ...page.css].map(({ css }) => `<style>${css}</style>`)
  return `${styles.join('')}<body class="${page.bodyClasses.join(' ')}">${header?.html ?? ''}${page.html}</body>`
}
