/** The argument `template` of a record. */
import { type ArgCheck, checkedFirst, nullMeans, str } from '../../core/declare/args.ts'
import type { Context } from '../../core/declare/context.ts'
import type { Settings } from '../../site/settings.ts'

type TemplatesOf = (settings: Settings) => readonly string[]

export const templateArg = (offered: TemplatesOf) => ({
  template: nullMeans(
    checkedFirst(
      str({
        description: 'The template of the theme that shows the post; empty: the usual one.',
        check: knownTemplate(offered) as ArgCheck,
      }),
    ),
    '',
  ),
})

/**
 * The template that the post has already is accepted even when the site no longer offers it. Interface: a value of a wrong
 * type is no known template either.
 */
const knownTemplate =
  (offered: TemplatesOf) =>
  async (template: unknown, { args, settings, storage }: Context<{ readonly id?: unknown }>) => {
    const names = offered(settings)
    if (template === '' || template === null || (typeof template === 'string' && names.includes(template)))
      return undefined
    const problem = { code: 'rest_invalid_param', message: `template takes only these values: ${names.join(', ')}.` }
    const id = Number(args.id)
    if (typeof template !== 'string' || !Number.isSafeInteger(id)) return problem
    const [post] = await storage.posts.read([id])
    return post?.template === template ? undefined : problem
  }
