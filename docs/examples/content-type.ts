/** A content type of a host: recipes with a number of servings. */
import { args, content, contentType, createSiteApi, profile, type Storage } from '../../src/index.ts'

const recipes = contentType({
  name: 'recipe',
  labels: { singular: 'Recipe', plural: 'Recipes' },
  restBase: 'recipes',
  supports: ['title', 'editor', 'author', 'revisions', 'autosave'],
  fields: { servings: args.int({ default: 4, description: 'For how many people.' }) },
})

export const kitchen = profile({ ...content, name: 'kitchen', features: [...content.features, recipes] })

export const createKitchen = (storage: Storage) => createSiteApi({ storage, profile: kitchen })
