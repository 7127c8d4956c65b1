/** The argument `template` of a record. */
import { type ArgCheck, checkedFirst, nullMeans, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import type { Names } from '../../../names/word-map.ts'
import { builderTemplates } from '../../../site/page-templates.ts'
import type { Settings } from '../../../site/settings.ts'

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
  async (sent: unknown, { app, args, settings, storage }: Context<{ readonly id?: unknown }>) => {
    if (sent === '' || sent === null) return undefined
    const names = [...offered(settings), ...builderTemplates].map((name) => publicTemplate(name, app.names))
    if (typeof sent === 'string' && names.includes(sent)) return undefined
    const problem = { code: 'rest_invalid_param', message: `template takes only these values: ${names.join(', ')}.` }
    const id = Number(args.id)
    if (typeof sent !== 'string' || !Number.isSafeInteger(id)) return problem
    const [post] = await storage.posts.read([id])
    return post?.template === sent ? undefined : problem
  }

/** Templates of the builder have the names of its clients; those of a theme are file names, which stay. */
export const publicTemplate = (stored: string, names: Names): string =>
  builderTemplates.includes(stored) ? names.toPublic(stored) : stored

export function storedTemplate(sent: string, names: Names): string {
  const neutral = names.toNeutral(sent)
  return builderTemplates.includes(neutral) ? neutral : sent
}
