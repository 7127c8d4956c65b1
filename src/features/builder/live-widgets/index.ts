/** Routes for widgets on a rendered page: post lists with other filters or of another page, and search results. */

import { anything, bool, int, object, required, search, str, unlisted } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { anyone, can } from '../../../core/declare/permissions.ts'
import { either, emptyList, fields, mapOf, sometimes } from '../../../core/declare/response-schema.ts'
import { contentTaxonomies } from '../../content/content-types/model.ts'
import { isObject } from '../../shared/elements.ts'
import { drawsDocuments } from '../../shared/rendered-documents.ts'
import { filterTrees, toFilters } from './filters.ts'
import {
  type BuilderDocument,
  findDocument,
  findElement,
  mayEditDocument,
  mayReadDocument,
  mayRefresh,
  resolveWidget,
} from './model.ts'
import { loopHtml, searchResults, widgetHtml } from './view.ts'

const postId = required(
  int({
    description: 'The document.',
    check: (id: number) => (id > 0 ? undefined : 'This is no id of a document.'),
  }),
)

const widgetId = required(
  str({
    description: 'The element in it.',
    check: (id: string) => (/^[A-Za-z0-9]{7}$/.test(id) ? undefined : 'An element has an id of 7 letters and digits.'),
  }),
)

/** An unsaved element is accepted only from an editor of the document. */
const widgetModel = object(
  {},
  {
    description: 'The element as an editor has it.',
    check: async (model: object, { args, storage, user }: Context) => {
      if (!isObject(model) || typeof model['id'] !== 'string' || !isObject(model['settings'])) {
        return 'An element has an id and settings.'
      }
      const document = await findDocument(storage, Number(args['post_id']))
      return document && mayEditDocument(user, document.post) ? undefined : 'Only editors show what is not saved.'
    },
  },
)

const isWebAddress = (value: unknown) => typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')

const noDocument = () => new ApiError('document_not_exist', 'There is no such document.', 404)
const noElement = () => new ApiError('Element_not_exist', 'There is no such element.', 404)

const readDocument = ({
  args,
  storage,
}: {
  readonly args: { readonly post_id?: number }
  readonly storage: Context['storage']
}) => findDocument(storage, args.post_id ?? 0)

const html = str({ description: 'HTML, ready to be shown; empty when nothing was found.' })
const pagination = str({ description: 'Links to the other pages, as HTML.' })
const withCss = unlisted(bool({ default: false, description: 'Adds the CSS rules of the entries to the response.' }))
const css = sometimes(str({ description: 'Rules that the page around does not have yet.' }))
const taxonomiesSchema = either(mapOf(str(), { description: 'The labels by taxonomy.' }), emptyList())

export const liveWidgets = feature(
  'live-widgets',
  'builder-pro/v1',
  [
    endpoint({
      path: '/posts-widget',
      methods: ['GET'],
      args: {
        post_id: unlisted(int({ default: 0 })),
        element_id: unlisted(str({ default: '' })),
        page: unlisted(int({ default: 1, minimum: 1, maximum: 100_000 })),
      },
      summary: 'Render another page of a list of posts',
      permission: anyone,
      responses: { 200: fields({ content: html }) },
      handler: async (context) => {
        const { post_id: id, element_id: elementId, page } = context.args
        const document = await findDocument(context.storage, id)
        if (!document || !mayReadDocument(context.user, document)) throw noDocument()
        const element = findElement(document.elements, elementId)
        if (!element) throw noElement()
        return { content: await widgetHtml(context, { document, element, isUnsaved: false, page }) }
      },
    }),
    endpoint({
      path: '/get-post-type-taxonomies',
      methods: ['POST'],
      args: {
        post_type: required(
          str({
            description: 'The type of content.',
            check: (type: string) => (type === '' ? 'A type of content is needed.' : undefined),
          }),
        ),
      },
      summary: 'List the taxonomies of a type of content',
      permission: can('edit_posts'),
      atomic: false,
      responses: { 200: taxonomiesSchema },
      // Interface: an empty map is sent as a list.
      handler: ({ args }) => (args.post_type === 'post' ? Object.fromEntries(contentTaxonomies) : []),
    }),
    endpoint({
      path: '/refresh-loop',
      methods: ['POST'],
      args: {
        post_id: postId,
        widget_id: widgetId,
        widget_filters: required(
          object(
            {},
            {
              description: 'The terms to filter by, for each taxonomy.',
              check: (filters: object) => (toFilters(filters) ? undefined : 'These are no filters by terms.'),
            },
          ),
        ),
        widget_model: widgetModel,
        page_number: unlisted(int({ default: 1, minimum: 1, maximum: 100_000 })),
        with_css: withCss,
        pagination_base_url: anything({
          description: 'The address that links to other pages begin with.',
          check: (address: unknown) => (isWebAddress(address) ? undefined : 'This is no address.'),
        }),
      },
      summary: 'Render a list of posts with filters',
      resource: readDocument,
      permission: mayRefresh('loop-grid'),
      atomic: false,
      responses: { 200: fields({ data: html, css }) },
      handler: async (context) => {
        const { widget_filters: filters, pagination_base_url: base, page_number: page } = context.args
        const widget = requireWidget(context.resource, context.args)
        const terms = await filterTrees(context.storage, toFilters(filters) ?? {})
        const url = typeof base === 'string' ? { url: base } : {}
        const loop = await loopHtml(context, { ...widget, page, terms, ...url })
        return answerOf(loop, context.args.with_css)
      },
    }),
    endpoint({
      path: '/refresh-search',
      methods: ['POST'],
      args: {
        post_id: postId,
        widget_id: widgetId,
        widget_model: widgetModel,
        search_term: unlisted(search()),
        page_number: unlisted(int({ default: 1, minimum: 1, maximum: 100_000 })),
        with_css: withCss,
      },
      summary: 'Search for results to show during typing',
      resource: readDocument,
      permission: mayRefresh('search'),
      atomic: false,
      responses: { 200: fields({ data: html, pagination, css }) },
      handler: async (context) => {
        const { search_term: text = '', page_number: page } = context.args
        const found = await searchResults(context, { ...requireWidget(context.resource, context.args), page }, text)
        return answerOf(found, context.args.with_css)
      },
    }),
  ],
  { services: drawsDocuments },
)

/** Leaves the member `css` out for clients that did not ask for it: they expect the members of the interface alone. */
const answerOf = <T extends { readonly css: string }>({ css: rules, ...answer }: T, isWanted: boolean) =>
  isWanted && rules !== '' ? { ...answer, css: rules } : answer

function requireWidget(document: BuilderDocument | undefined, args: Parameters<typeof resolveWidget>[1]) {
  const element = document && resolveWidget(document, args)
  if (!element) throw noElement()
  return { document, element, isUnsaved: isObject(args.widget_model) }
}
