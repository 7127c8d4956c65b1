/** Code of a host against the published types: compiled by the package check, never run. */
import { createSiteApi, d1 } from 'site-api'
import { color, h, type RenderContext, type RenderOptions, widget } from 'site-api/render'
import { memoryStorage } from 'site-api/storage/memory'

const hello = widget({
  html: ({ settings }) => h('p', { class: ['hello'] }, settings.text('name')),
  controls: [color('name_color', '& .hello', 'color')],
})
const render: RenderOptions = { widgets: { hello }, tags: { now: () => 'now' }, services: { menu: () => [] } }
const api = createSiteApi({ storage: memoryStorage(), profile: d1, render })

export const shown = async (id: number, context: RenderContext): Promise<string | undefined> =>
  (await api.render.document(id, context))?.html
