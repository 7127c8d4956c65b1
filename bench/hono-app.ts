/** The same routes, checks, response and headers in Hono. */
import { Hono } from 'hono'
import { validator } from 'hono/validator'
import { z } from 'zod'
import { fixedHeaders, fixedText, measuredPath } from './fixed-response.ts'
import { honoPath, tableRoutes } from './routes.ts'

export const querySchema = z.object({
  context: z.enum(['view', 'embed', 'edit']).default('view'),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(10),
  search: z.string().optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
})

export function createHonoApp(): Hono {
  const app = new Hono().basePath('/api')
  const checked = validator('query', (value, context) => {
    const result = querySchema.safeParse(value)
    return result.success ? result.data : context.text('bad', 400)
  })
  const send = (body: string) => new Response(body, { headers: fixedHeaders })
  for (const { methods, path } of tableRoutes) {
    for (const method of methods) {
      if (path !== measuredPath) app.on(method, honoPath(path), () => send(fixedText))
      else {
        app.on(method, honoPath(path), checked, (context) => {
          const { per_page: perPage } = context.req.valid('query' as never) as z.infer<typeof querySchema>
          if (typeof perPage !== 'number' || Number.isNaN(Number(context.req.param('id')))) throw new Error('unchecked')
          return send(fixedText)
        })
      }
    }
  }
  return app
}
