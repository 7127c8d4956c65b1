/** Declares the types and fields of this site, beside posts, pages, media, terms, users and comments. */
import { args, contentType, full, metaFields, profile } from 'site-api'
import { tides } from './tides.ts'

/** Another content type: its routes are below `/api/cms/v2/events`, its fields in `meta`, its pages below `/event/`. */
const events = contentType({
  name: 'event',
  labels: { singular: 'Event', plural: 'Events' },
  restBase: 'events',
  supports: ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions'],
  fields: {
    starts: args.str({ description: 'When it begins, such as 2026-06-01T19:30.' }),
    place: args.str({ description: 'Where it is.' }),
  },
})

const boats = contentType({
  name: 'boat',
  labels: { singular: 'Boat', plural: 'Boats' },
  restBase: 'boats',
  supports: ['title', 'editor', 'thumbnail'],
  fields: { length: args.num({ minimum: 0, description: 'In metres.' }) },
})

/** A field of posts: clients read and write it as `meta.subtitle`. */
const fields = metaFields({
  post: {
    subtitle: args.str({ description: 'A second line below the title.' }),
    minutes: args.int({ minimum: 0, description: 'How long it takes to read.' }),
  },
})

export const site = profile({ ...full, name: 'site', features: [...full.features, events, boats, tides, fields] })
