/** Declares fields of a host for records that every site has. */
import { args, createSiteApi, full, metaFields, profile } from 'site-api'
import { memoryStorage } from 'site-api/storage/memory'

const fields = metaFields({
  post: {
    subtitle: args.field(args.str({ maxLength: 120, description: 'Shown below the title.' }), {
      isSearched: true,
      isRevisioned: true,
    }),
    minutes: args.int({ minimum: 0, description: 'How long it takes to read.' }),
    fee: args.field(args.num(), { readCapability: 'manage_options', writeCapability: 'manage_options' }),
  },
  media: { credit: args.str() },
  term: { colour: args.oneOf(['red', 'blue']) },
  user: { phone: args.str({ context: ['edit'] }) },
  comment: { stars: args.int({ minimum: 1, maximum: 5 }) },
})

const magazine = profile({ ...full, name: 'magazine', features: [...full.features, fields] })
export const api = createSiteApi({ storage: memoryStorage(), profile: magazine, url: 'https://magazine.example' })
