/** The search over records, terms and formats: published work only, whoever asks. */
import { int, list, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { feature } from '../../../core/declare/feature.ts'
import { pageOf } from '../../../core/declare/page.ts'
import { anyone } from '../../../core/declare/permissions.ts'
import { either, exactly, fields, links, openFields, sometimes } from '../../../core/declare/response-schema.ts'
import { categoryTaxonomy, pageType, postType, tagTaxonomy } from '../content-types/model.ts'
import { searchArgs } from './args.ts'
import { type Found, findAll, type SearchContext, searchedTaxonomies, searchedTypes } from './model.ts'

const resultSchema = fields(
  {
    id: either(int(), str()),
    title: str(),
    url: str({ format: 'uri' }),
    type: str({ description: 'post, post-format, or the taxonomy of a term.' }),
    subtype: sometimes(str({ description: 'The content type of a record.' })),
    _links: fields({
      self: sometimes(links({ embeddable: exactly(true), targetHints: sometimes(fields({ allow: list(str()) })) })),
      about: sometimes(links()),
      collection: links(),
    }),
    _embedded: sometimes(
      fields({ self: sometimes(list(openFields({ id: int() }))) }, { description: 'With `_embed`: the records.' }),
    ),
  },
  { title: 'Search result', record: 'search-result', context: ['view', 'embed'] },
)

/** The texts of `Allow` on the routes of the results, in their order: one call for each route. */
async function allowsOf(context: Context, results: readonly Found[]): Promise<ReadonlyMap<Found, string>> {
  const allows = new Map<Found, string>()
  for (const route of new Set(results.map((each) => each.route))) {
    if (route === undefined) continue
    const own = results.filter((each) => each.route === route)
    const rows = own.map(({ row }) => row as { readonly id: number })
    const texts = await context.allowedMethods(context, `${route}/{id}`, rows, ({ id }) => ({ id }))
    own.forEach((each, index) => void allows.set(each, texts[index] ?? ''))
  }
  return allows
}

function resultView({ app, settings }: Context, found: Found, allow: string) {
  const { id, title, url, type, subtype, route, about } = found
  const { names } = app
  const root = `${settings.apiRoot}/${names.toPublic('cms/v2')}`
  return {
    ...{ id, title, url, type: names.toPublic(type) },
    ...(subtype === undefined ? {} : { subtype: names.toPublic(subtype) }),
    _links: {
      ...(route === undefined
        ? {}
        : {
            self: [
              {
                embeddable: true,
                href: `${settings.apiRoot}${names.toPublic(route)}/${id}`,
                ...(allow === '' ? {} : { targetHints: { allow: allow.split(', ') } }),
              },
            ],
          }),
      ...(about === undefined ? {} : { about: [{ href: `${root}/${names.toPublic(about)}` }] }),
      collection: [{ href: `${root}/search` }],
    },
  }
}

const searchEndpoint = (subtypes: readonly string[]) =>
  endpoint({
    path: '/search',
    methods: ['GET'],
    cacheable: 'by-column',
    paged: true,
    args: searchArgs(subtypes),
    summary: 'Search the published records and the terms',
    permission: anyone,
    responses: { 200: list(resultSchema) },
    handler: async (context) => {
      const { results, total } = await findAll(context as SearchContext)
      const plain = context as Context
      const allows = await allowsOf(plain, results)
      const rows = results.map((found) => resultView(plain, found, allows.get(found) ?? ''))
      return pageOf(plain, { rows, total, page: context.args.page, perPage: context.args.per_page })
    },
  })

const builtIn = [postType, pageType, categoryTaxonomy, tagTaxonomy].map(({ name }) => name)

/** Its argument `subtype` takes the types and taxonomies of the profile. */
export const search = feature('search', 'cms/v2', [searchEndpoint(builtIn)], {
  isHistorical: true,
  completed: (contributions) => {
    const known = [...searchedTypes({ contributions }), ...searchedTaxonomies({ contributions })]
    return [searchEndpoint(known.map(({ name }) => name))]
  },
})
