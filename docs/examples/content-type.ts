/** Declares a content type and a taxonomy of a host: recipes with a number of servings, and their cuisines. */
import { args, content, contentType, createSiteApi, profile, type Storage, taxonomy } from 'site-api'

const cuisines = taxonomy({
  name: 'cuisine',
  labels: { singular: 'Cuisine', plural: 'Cuisines' },
  restBase: 'cuisines',
  isHierarchical: true,
  fields: { country: args.str({ description: 'Where it comes from.' }) },
})

const recipes = contentType({
  name: 'recipe',
  labels: { singular: 'Recipe', plural: 'Recipes' },
  restBase: 'recipes',
  supports: ['title', 'editor', 'author', 'revisions', 'autosave'],
  taxonomies: [cuisines.declaration],
  fields: { servings: args.int({ default: 4, description: 'For how many people.' }) },
})

export const kitchen = profile({ ...content, name: 'kitchen', features: [...content.features, recipes, cuisines] })

export const createKitchen = (storage: Storage) => createSiteApi({ storage, profile: kitchen })
