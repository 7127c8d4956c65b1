/** A newcomer's program, with a mark before the word of each place, and the names of the places. */

interface Place {
  readonly says: string
  /** Editors say nothing of a text; they offer its values. */
  readonly isText?: true
  /** False for fields that the host declares: the compiler infers their types without the words of their schema. */
  readonly isDescribed?: false
}

export const places: readonly Place[] = [
  { says: 'import of createSiteApi' },
  { says: 'import of a profile' },
  { says: 'option storage' },
  { says: 'option docs' },
  { says: 'option limits' },
  { says: 'member of limits' },
  { says: 'option services.mail' },
  { says: 'option webhooks' },
  { says: 'member of a webhook' },
  { says: 'profile()' },
  { says: 'features of a profile' },
  { says: 'contentType supports', isText: true },
  { says: 'contentType restBase' },
  { says: 'contentType fields' },
  { says: 'args.int option' },
  { says: 'metaFields post' },
  { says: 'endpoint methods' },
  { says: 'endpoint permission' },
  { says: 'handler context' },
  { says: 'api.call path', isText: true },
  { says: 'api.call argument' },
  { says: 'result member of a post' },
  { says: 'own field in meta', isDescribed: false },
  { says: 'api.site member' },
  { says: 'api.site.posts method' },
  { says: 'api.on event', isText: true },
  { says: 'client method' },
  { says: 'client path', isText: true },
  { says: 'client argument' },
  { says: 'client result member' },
  { says: 'serveNode option' },
  { says: 'createExpressHandler option' },
  { says: 'createSitePages option' },
  { says: 'createMedia option' },
]

export const program = `import { /*1*/createSiteApi, /*2*/full, anyone, args, contentType, createMedia, endpoint, feature, metaFields, profile } from 'site-api'
import { createClient } from 'site-api/client'
import { createExpressHandler } from 'site-api/express'
import { serveNode } from 'site-api/node'
import { createSitePages } from 'site-api/pages'
import { sqliteStorage } from 'site-api/storage/sqlite'

const boats = contentType({
  name: 'boat',
  labels: { singular: 'Boat', plural: 'Boats' },
  supports: [/*12*/'title', 'editor'],
  /*13*/restBase: 'boats',
  /*14*/fields: { length: args.int({ /*15*/minimum: 0, description: 'In metres.' }) },
})
const fields = metaFields({ /*16*/post: { subtitle: args.str({ description: 'Below the title.' }) } })
const tides = feature('tides', 'harbour/v1', [
  endpoint({
    path: '/tides',
    /*17*/methods: ['GET'],
    args: { day: args.required(args.str()) },
    /*18*/permission: anyone,
    handler: ({ /*19*/args: { day } }) => ({ day }),
  }),
])
const site = /*10*/profile({ ...full, name: 'site', /*11*/features: [...full.features, boats, fields, tides] })

const api = createSiteApi({
  /*3*/storage: sqliteStorage('site.db'),
  profile: site,
  /*4*/docs: true,
  /*5*/limits: { /*6*/uploadBytes: 1000 },
  services: {
    /*7*/mail: { send: async () => undefined },
    media: createMedia({ /*34*/folder: 'uploads' }),
  },
  /*8*/webhooks: [{ url: 'https://example.com', secret: '', /*9*/events: ['post.*'] }],
})

const { data } = await api.call('GET', /*20*/'/cms/v2/posts', { /*21*/per_page: 5 })
for (const post of data) console.log(post./*22*/excerpt, post.meta?./*23*/subtitle)
await api./*24*/site.posts./*25*/create({ title: 'High tide' })
api.on(/*26*/'post.published', ({ post }) => console.log(post.title))

const client = createClient<typeof site>({ url: 'https://example.com/api' })
const answer = await client./*27*/get(/*28*/'/cms/v2/posts', { /*29*/orderby: 'date' })
if (answer.ok) for (const post of answer.data) console.log(post./*30*/featured_media)

await serveNode(api, { /*31*/fallThrough: () => undefined })
createExpressHandler(api, { /*32*/fallThrough: true })
createSitePages(api, { /*33*/challenge: true })
`
