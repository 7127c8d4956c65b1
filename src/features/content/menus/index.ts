/** Menus have items, and the theme shows them in its places. */
import { feature } from '../../../core/declare/feature.ts'
import { itemKey } from '../../../site/menu-items.ts'
import { storedElements } from '../../shared/references/element-references.ts'
import { taxonomyFeature } from '../terms/taxonomy.ts'
import { postTermsEmbedder } from '../terms/view.ts'
import { fileItems } from './import.ts'
import { itemEndpoints } from './items.ts'
import { menuExtension } from './menus.ts'
import { itemReferences, menuItemType, menuTaxonomy } from './model.ts'
import { placeEmbedder, placeEndpoints } from './places.ts'
import { menusSection } from './section.ts'
import { addPage } from './write.ts'

const terms = taxonomyFeature(menuTaxonomy, { extension: menuExtension })

export const menus = feature('menus', 'cms/v2', [...terms.endpoints, ...itemEndpoints, ...placeEndpoints], {
  isHistorical: true,
  embedders: [...terms.embedders, postTermsEmbedder(menuTaxonomy), placeEmbedder],
  contributes: { contentTypes: [menuItemType], taxonomies: [menuTaxonomy] },
  persisted: {
    postTypes: [menuItemType.name],
    taxonomies: [menuTaxonomy.name],
    sections: [menusSection],
    metaReferences: itemReferences,
    // The address of an item may name a row by its id.
    embeddedReferences: { [itemKey]: storedElements },
    items: { [menuItemType.name]: fileItems },
  },
  hooks: {
    'post.published': async ({ post }, context) => {
      if (post.type === 'page' && post.parent === 0) await addPage(context, post)
    },
  },
})
