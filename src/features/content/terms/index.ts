/** Serves the taxonomies of a site: their list, read-only, and the terms of those of posts and of blocks. */
import type { Actor } from '../../../core/declare/actor.ts'
import { context, identifiers, str } from '../../../core/declare/args.ts'
import type { Context } from '../../../core/declare/context.ts'
import { endpoint } from '../../../core/declare/endpoint.ts'
import { ApiError } from '../../../core/declare/errors.ts'
import { feature } from '../../../core/declare/feature.ts'
import { parameter } from '../../../core/declare/pattern.ts'
import { forbidden, permission } from '../../../core/declare/permissions.ts'
import { mapOf } from '../../../core/declare/response-schema.ts'
import { publicTypesOf, taxonomiesOf, typesWithTaxonomy } from '../../shared/declared-types.ts'
import {
  type ContentTaxonomy,
  categoryTaxonomy,
  patternCategoryTaxonomy,
  tagTaxonomy,
  unlessEdit,
  type ViewContext,
} from '../content-types/model.ts'
import { taxonomySchema, taxonomyView } from '../content-types/view.ts'
import { createSiteTerms } from './management.ts'
import { termsChanged } from './model.ts'
import { taxonomyFeature } from './taxonomy.ts'

interface ContextArgs {
  readonly context: ViewContext
}

const mayAssign = (user: Actor, { granted }: ContentTaxonomy) => user.can(granted.assign_terms)
const notTerms = 'You may not work with the terms of this taxonomy.'

const mayReadTaxonomy = permission<ContextArgs, ContentTaxonomy>(
  'anyone; in the edit context edit_posts',
  ({ args, user, resource }) =>
    args.context === 'edit' && !mayAssign(user, resource)
      ? forbidden(user, 'rest_forbidden_context', notTerms)
      : undefined,
)

function findTaxonomy({ args, app }: Pick<Context<{ readonly taxonomy?: string }>, 'args' | 'app'>): ContentTaxonomy {
  const taxonomy = taxonomiesOf(app).find(({ name }) => name === app.names.toNeutral(args.taxonomy ?? ''))
  if (!taxonomy) throw new ApiError('rest_taxonomy_invalid', 'There is no such taxonomy.', 404)
  return taxonomy
}

/**
 * Choice: the index of D1 and D2 lists these routes for clients that look for them there; their interface does not include
 * them. Categories and tags are listed also where no route lists their terms.
 */
export const taxonomies = feature(
  'taxonomies',
  'cms/v2',
  [
    endpoint({
      path: '/taxonomies',
      methods: ['GET'],
      cacheable: 'by-column',
      args: {
        context: context(),
        type: str({ description: 'Lists only the taxonomies of this type of content.' }),
      },
      summary: 'List the taxonomies',
      permission: unlessEdit(
        ({ app, user }) => taxonomiesOf(app).some((taxonomy) => mayAssign(user, taxonomy)),
        notTerms,
        'edit_posts',
      ),
      responses: { 200: mapOf(taxonomySchema) },
      handler: (context) => {
        const { context: viewContext, type } = context.args
        const types = publicTypesOf(context.app)
        const visible = taxonomiesOf(context.app).filter(
          ({ name }) =>
            type === undefined || typesWithTaxonomy(types, name).includes(context.app.names.toNeutral(type)),
        )
        return Object.fromEntries(
          visible.map((taxonomy) => [
            context.app.names.toPublic(taxonomy.name),
            taxonomyView(context, taxonomy, viewContext),
          ]),
        )
      },
    }),
    endpoint({
      path: `/taxonomies/${parameter('taxonomy', '[\\w-]+')}`,
      methods: ['GET'],
      cacheable: 'by-column',
      args: { taxonomy: identifiers(str({ description: 'The name of the taxonomy.' })), context: context() },
      summary: 'Read a taxonomy',
      resource: findTaxonomy,
      permission: mayReadTaxonomy,
      responses: { 200: taxonomySchema },
      handler: (context) => taxonomyView(context, context.resource, context.args.context),
    }),
  ],
  {
    contributes: { taxonomies: [categoryTaxonomy, tagTaxonomy] },
    // Every profile has terms, also those without their routes.
    siteExtensions: { terms: createSiteTerms },
    persisted: { options: [termsChanged] },
  },
)

export const categories = taxonomyFeature(categoryTaxonomy)
export const tags = taxonomyFeature(tagTaxonomy)
export const patternCategories = taxonomyFeature(patternCategoryTaxonomy)
